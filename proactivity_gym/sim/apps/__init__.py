"""The apps of the world, each with its records' fields and its tools side by side."""

from proactivity_gym.sim.apps import (
    bank,
    bookings,
    calendar,
    compute,
    course,
    devices,
    files,
    forms,
    health,
    mail,
    messages,
    payments,
    reminders,
    shop,
    travel,
)

_MODULES = (
    *(calendar, mail, messages, files, reminders, travel, payments, compute, course),
    *(bookings, shop, forms, bank, devices, health),
)

BY_NAME = {module.APP.name: module.APP for module in _MODULES}
"""Every app by its name. To add one, write its module and name it at the end: observations number the apps in this order."""
