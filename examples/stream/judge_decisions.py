"""Judge the decisions of routers as they are recorded: a folder that grows in, a verdict for each decision out.

    python judge_decisions.py --directory enterprise.json --decisions recorded/ --out judged/ --checkpoint checkpoint/

Recorders write JSON Lines, one decision on each line, and move each file into the folder when it is whole. A line has
`id`, which no other decision has, and `source`, `destination` and `next_hops` as `mqconform audit routes` takes them.
"""

import argparse

from mqconform.harness.tools.enterprise.source import open_enterprise
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, enterprise_of
from mqconform.reports.pipeline.routes.frames import judge_routes
from mqconform.reports.pipeline.session import ROWS_IN_SPARK, SessionSettings, spark_session

COLUMNS = "id string, time string, source string, destination string, next_hops array<string>"
STATE_ON_DISK = {
    "spark.sql.streaming.stateStore.providerClass":
    "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
}  # fmt: skip


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--directory", required=True, help="the enterprise that the routers belong to")
    options.add_argument("--decisions", required=True, help="the folder into which recorders move their files")
    options.add_argument("--out", required=True, help="the folder for verdicts, as Parquet")
    options.add_argument("--checkpoint", required=True, help="the folder that says how far this has come")
    options.add_argument("--files", type=int, default=100, help="files that are judged at a time")
    options.add_argument("--once", action="store_true", help="judge what is there, and end")
    given = options.parse_args()
    enterprise = enterprise_of([DirectoryVersion(None, open_enterprise(given.directory).directory)])
    with spark_session(SessionSettings(conf=ROWS_IN_SPARK | STATE_ON_DISK), "judge decisions") as spark:
        recorded = spark.readStream.schema(COLUMNS).option("maxFilesPerTrigger", given.files).json(given.decisions)
        # Without a watermark no decision is ever too late, and the state has an entry for each that was judged.
        once = recorded.dropDuplicates(["id"])
        verdicts = judge_routes(once, enterprise).writeStream.format("parquet").option("path", given.out)
        when = {"availableNow": True} if given.once else {"processingTime": "1 second"}
        verdicts.option("checkpointLocation", given.checkpoint).trigger(**when).start().awaitTermination()


if __name__ == "__main__":
    main()
