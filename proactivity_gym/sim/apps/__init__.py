"""The apps of the world, each with its records' fields and its tools side by side."""

from proactivity_gym.sim.apps import calendar, compute, course, files, mail, messages, payments, reminders, travel

BY_NAME = {
    module.APP.name: module.APP for module in (calendar, mail, messages, files, reminders, travel, payments, compute, course)
}
"""Every app by its name. To add one, write its module and name it here."""
