"""Join a history of runs with a table of your own: who made the builds that violate requirements.

    python join.py my-history builds.csv

`builds.csv` has a header and the columns `build` and `author`.
"""

import sys

from pyspark.sql import SparkSession


def main(store, builds):
    spark = SparkSession.builder.master("local[*]").getOrCreate()
    runs = spark.read.parquet(f"{store}/runs")
    violated = runs.selectExpr("build", "version", "time", "inline(requirements)").where("standing = 'violated'")
    authors = spark.read.csv(builds, header=True)
    told = violated.join(authors, "build").select("time", "version", "author", "requirement")
    told.orderBy("time", "requirement").show(truncate=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
