"""The page that says which guarantees an application keeps on the way from one implementation to another."""

from pathlib import Path

from mqconform.reports.html.site import Extra
from mqconform.reports.migration.compare import Fate, migration
from mqconform.reports.migration.formats import implementation_name


def migration_page(before: Path, after: Path) -> Extra:
    """Return the page of a migration.

    Raises:
        ResultFault: a result file cannot be used.
    """
    comparison = migration(before, after)
    fates = [
        (fate, [guarantee for guarantee in comparison.guarantees if guarantee.fate is fate])
        for fate in Fate
        if fate in comparison.counts()
    ]
    values = {"migration": comparison, "fates": fates, "implementation_name": implementation_name}
    return Extra("migration", "Migration", "migration.html", values)
