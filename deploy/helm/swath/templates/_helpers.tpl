{{/* Names are cut at 63 characters, the longest that a label may have, with room for "-worker". */}}
{{- define "swath.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "swath.selector" -}}
app.kubernetes.io/name: swath
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "swath.labels" -}}
{{ include "swath.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "swath.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "swath.account" -}}
{{ .Values.serviceAccount.name | default (include "swath.name" .) }}
{{- end }}

{{/* The secret that the chart makes; empty if there is nothing to put into it. */}}
{{- define "swath.secretValues" -}}
{{- $values := deepCopy .Values.secrets.values }}
{{- if and .Values.database.enabled .Values.database.url }}{{ $_ := set $values "SWATH_DATABASE_URL" .Values.database.url }}{{ end }}
{{- if $values }}{{ toYaml $values }}{{ end }}
{{- end }}

{{/* What pods of all kinds have. Call it with (dict "root" . "role" "api" "resources" … "volume" …). */}}
{{- define "swath.pod" -}}
{{- $root := .root }}
{{- $name := include "swath.name" $root }}
metadata:
  labels:
    {{- include "swath.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
  annotations:
    # Pods are replaced when a setting changes.
    checksum/settings: {{ printf "%s%s" ($root.Values.settings | toJson) (include "swath.secretValues" $root) | sha256sum }}
    {{- with $root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "swath.account" $root }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ $root.Values.terminationGracePeriodSeconds }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  {{- with $root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  {{- with $root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if not $root.Values.affinity }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "swath.selector" $root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  {{- end }}
  containers:
    - name: swath
      image: {{ include "swath.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      ports:
        - { name: http, containerPort: 8080 }
      env:
        - { name: SWATH_ROLES, value: {{ .role | quote }} }
        - { name: SWATH_METRICS, value: open }
        # Longer than two readiness checks: the service stops sending requests first.
        - { name: SWATH_LINGER_MS, value: "8000" }
        {{- with $root.Values.bucket.results }}
        - { name: SWATH_RESULTS, value: {{ . | quote }} }
        {{- end }}
        {{- with $root.Values.bucket.cubes }}
        - { name: SWATH_CUBES, value: {{ . | quote }} }
        {{- end }}
        {{- with $root.Values.bucket.sharedTiles }}
        - { name: SWATH_SHARED_TILES, value: {{ . | quote }} }
        {{- end }}
        {{- if $root.Values.bucket.sourcesSecret }}
        - { name: SWATH_SOURCES, value: /etc/swath/sources.json }
        {{- end }}
        {{- if $root.Values.database.enabled }}
        # The demo world lies in the data directory of one node.
        - { name: SWATH_DEMO, value: "off" }
        {{- end }}
        {{- range $key, $value := $root.Values.settings }}
        - { name: {{ $key }}, value: {{ $value | toString | quote }} }
        {{- end }}
      {{- if or (include "swath.secretValues" $root) $root.Values.secrets.existingSecret }}
      envFrom:
        {{- if include "swath.secretValues" $root }}
        - secretRef: { name: {{ $name }} }
        {{- end }}
        {{- with $root.Values.secrets.existingSecret }}
        - secretRef: { name: {{ . }} }
        {{- end }}
      {{- end }}
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 3
        timeoutSeconds: 5
        failureThreshold: 2
      resources: {{- toYaml .resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
        {{- if $root.Values.bucket.sourcesSecret }}
        - { name: sources, mountPath: /etc/swath, readOnly: true }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- with .scratch }}
    - name: data
      emptyDir: { sizeLimit: {{ . }} }
    {{- end }}
    {{- with $root.Values.bucket.sourcesSecret }}
    - name: sources
      secret: { secretName: {{ . }}, items: [{ key: sources.json, path: sources.json }] }
    {{- end }}
{{- end }}
