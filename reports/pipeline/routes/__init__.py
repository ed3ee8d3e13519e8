"""``audit routes``: recorded decisions of routers, judged in bulk (MS-MQBR 3.1.5.1)."""
