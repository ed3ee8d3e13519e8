"""What objects are called where people read: their names, or their GUIDs where they have none."""

from mqconform.reference.directory import Directory, QueueManagerId, SiteId


def machine_label(directory: Directory, machine: QueueManagerId) -> str:
    """Return what a queue manager is called, as the file has it: it is not safe to show yet."""
    found = directory.queue_managers_by_identifier.get(machine, ())
    return (found[0].name if found else "") or machine


def site_label(directory: Directory, site: SiteId) -> str:
    """Return what a site is called, as the file has it: it is not safe to show yet."""
    found = directory.sites_by_identifier.get(site, ())
    return (found[0].name if found else "") or site
