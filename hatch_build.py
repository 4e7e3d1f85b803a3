"""What a wheel leaves out: the entry point of the report's exporter, which only a checkout has.

Installed from a checkout, `jupyter nbconvert --to report` works. A wheel holds the two libraries
only, and there the same entry point would name a module that does not exist, which nbconvert
answers with an error whatever it is asked for.
"""

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ONLY_IN_A_CHECKOUT = "nbconvert.exporters"


class LeaveOutExporter(BuildHookInterface):
    """Called by hatchling before it builds a wheel."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Forget the entry point, unless the wheel only points to this checkout."""
        if version != "editable":
            self.metadata.core.entry_points.pop(ONLY_IN_A_CHECKOUT, None)
