"""The version of this package: that of the service it is made for."""

__version__ = "0.2.0"
