"""The board viewer: a widget for notebooks and a page of its own."""

from lib2048.viewer.viewer import watch

__all__ = ["watch"]
