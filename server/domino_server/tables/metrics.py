"""What is counted, for Prometheus."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "WEBSOCKET"})
_LOOKS_S: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """The counters of one server, in a registry of their own."""

    def __init__(self) -> None:
        """Start with nothing counted."""
        self.registry = CollectorRegistry()
        made = {"registry": self.registry, "namespace": "dominotable"}
        self.frames = Counter("frames", "pictures that were looked at", ["table"], **made)  # type: ignore[arg-type]
        self.dropped = Gauge("frames_dropped", "pictures that a newer one replaced", ["table"], **made)  # type: ignore[arg-type]
        self.looking = Histogram(
            "look_seconds",
            "time for one picture, networks included",
            ["table"],
            buckets=_LOOKS_S,
            **made,  # type: ignore[arg-type]
        )
        self.commands = Counter("commands", "what people told", ["op", "outcome"], **made)  # type: ignore[arg-type]
        self.crashes = Counter("table_crashes", "mistakes of ours in a table's thread", ["table"], **made)  # type: ignore[arg-type]
        self.running = Gauge("tables_running", "tables that are watched", **made)  # type: ignore[arg-type]
        self.watching = Gauge("subscribers", "streams that are open", **made)  # type: ignore[arg-type]
        self.requests = Counter("requests", "requests by kind of answer", ["method", "status"], **made)  # type: ignore[arg-type]

    def count_request(self, method: str, status: int) -> None:
        """Count a request that was answered."""
        known = method if method in _METHODS else "OTHER"
        self.requests.labels(known, f"{status // 100}xx" if status else "none").inc()
