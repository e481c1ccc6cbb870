"""Simulated time: whole elapsed minutes since midnight of day 0, shown as local date-times of one zone."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


class Clock:
    """Converts between minutes of an episode and local date-times; knows no present.

    Elapsed minutes are real ones: over a change of summer time a day has 1,380 or 1,500 of them.
    """

    __slots__ = ("_origin", "start", "zone")

    def __init__(self, zone: str, start: date) -> None:
        """Set the zone's key (`Europe/Lisbon`) and the date of day 0.

        Raises:
            KeyError: there is no such zone.
        """
        self.zone = ZoneInfo(zone)
        self.start = start
        self._origin = datetime.combine(start, time(), self.zone).astimezone(UTC)

    def local(self, minute: int) -> datetime:
        """Return the zone-aware local date-time of a minute."""
        return (self._origin + timedelta(minutes=minute)).astimezone(self.zone)

    def minute(self, wall: datetime) -> int:
        """Return the minute of a naive local date-time.

        Raises:
            ValueError: clocks skip this time, or it is not naive or no whole minute.
        """
        if wall.tzinfo is not None or wall.second or wall.microsecond:
            raise ValueError(f"{wall.isoformat()} must be a local date-time without offset, in whole minutes")
        instant = wall.replace(tzinfo=self.zone).astimezone(UTC)
        if instant.astimezone(self.zone).replace(tzinfo=None) != wall:
            raise ValueError(f"{wall.isoformat()} does not exist in {self.zone.key}: clocks go forward over it")
        return int((instant - self._origin).total_seconds()) // 60

    def at(self, day: int, wall: time) -> int:
        """Return the minute of a wall time on a day; a time that clocks skip moves forward with them."""
        local = datetime.combine(self.start + timedelta(days=day), wall, self.zone)
        return int((local.astimezone(UTC) - self._origin).total_seconds()) // 60

    def date(self, day: int) -> date:
        """Return the date of a day."""
        return self.start + timedelta(days=day)
