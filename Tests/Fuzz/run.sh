#!/bin/sh
# run.sh PROGRAM SECONDS SEED FOLDER TARGET...: fuzzes each target for so long, two at a time. Inputs that fail are kept in
# FOLDER, and shown with the command that replays them. What led to new places in the code is kept there, too, for the next time.
set -eu

program=$1 seconds=$2 seed=$3 folder=$4
shift 4
mkdir -p "$folder"
if [ $# -gt 1 ]; then
  printf '%s\n' "$@" | xargs -P 2 -I TARGET "$0" "$program" "$seconds" "$seed" "$folder" TARGET
  exit
fi

target=$1
# State files are read and synced at each input: in memory where that is possible.
work=$(mktemp -d -p /dev/shm signet-fuzz-XXXXXX 2>/dev/null || mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export TMPDIR="$work"
# Swift's own crash report reads memory that AddressSanitizer guards, which hides the crash that it reports.
export SWIFT_BACKTRACE=enable=no

"$program" "$target" --seeds "$work/seeds"
kept=$(realpath "$folder")/corpus/$target
mkdir -p "$kept"
cp -R "$kept" "$work/corpus"
status=0
# An input that only computes ends at its own limit; these two are for one that waits for ever.
timeout "$((seconds + 900))" "$program" "$target" -max_total_time="$seconds" -seed="$seed" -timeout=300 -rss_limit_mb=2048 \
  -close_fd_mask=2 -print_final_stats=1 -artifact_prefix="$work/" "$work/corpus" "$work/seeds" >"$work/log" 2>&1 || status=$?

if [ "$status" != 0 ]; then
  echo "fuzz $target: FAILED (status $status, seed $seed)"
  grep -a -A 40 -e 'PROPERTY' -e 'ERROR' "$work/log" | cut -c 1-200 || tail -n 20 "$work/log"
  for input in "$work"/crash-* "$work"/timeout-* "$work"/oom-* "$work"/leak-*; do
    [ -f "$input" ] || continue
    found="$folder/$target-$(basename "$input")"
    cp "$input" "$found"
    echo "the input: $(od -An -v -tx1 "$found" | tr -s '\n' ' ')"
    echo "replay it: SWIFT_BACKTRACE=enable=no $program $target $found"
  done
  exit 1
fi

cp -R "$work/corpus/." "$kept"
done=$(grep -a 'DONE' "$work/log")
coverage=$(echo "$done" | sed 's/.*cov: \([0-9]*\) .*/\1/')
# A build without instrumentation looks at nothing, and finds nothing.
if [ "$coverage" -lt 100 ]; then
  echo "fuzz $target: FAILED: no more than $coverage edges were covered"
  exit 1
fi
inputs=$(sed -n 's/stat::number_of_executed_units: *//p' "$work/log")
speed=$(sed -n 's/stat::average_exec_per_sec: *//p' "$work/log")
echo "fuzz $target: $inputs inputs, $speed a second, $coverage edges covered, seed $seed"
