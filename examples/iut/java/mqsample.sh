#!/bin/sh
# Starts the jar that lies beside this file.
exec "${JAVA:-java}" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar "$(dirname "$(readlink -f "$0")")/mqsample.jar" "$@"
