"""A cache that forgets everything at once: Swift's tempauth insists on having one, and nothing here needs it to work."""


class NoCache:
    def get(self, key, raise_on_error=False):
        return None

    def set(self, key, value, **options):
        pass

    def delete(self, key, server_key=None):
        pass


def filter_factory(global_conf, **local_conf):
    def wrap(app):
        def call(env, start_response):
            env['swift.cache'] = NoCache()
            return app(env, start_response)

        return call

    return wrap
