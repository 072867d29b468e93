"""Runs one server of OpenStack Swift with a swift.conf outside /etc: run_swift.py <kind> <its conf> <swift.conf>."""
import sys

from swift.common import utils

kind, conf, utils.SWIFT_CONF_FILE = sys.argv[1:4]

from swift.common.wsgi import run_wsgi  # noqa: E402  reads the name above when it is called

sys.exit(run_wsgi(conf, kind))
