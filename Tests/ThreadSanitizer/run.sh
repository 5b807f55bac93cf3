#!/bin/sh
# run.sh BUILD USUAL: the tests of the daemon's own code and of the libraries', as BUILD (with the thread sanitizer) has them; then
# the tests that drive a whole signetd, as USUAL has them, with BUILD's signetd between its usual programs; then those that drive
# a crowd of contexts, with BUILD's. A race that any process saw fails the run, whatever the tests say.
#
# Only signetd and the crowd are instrumented there: GLib, libpam and the modules are not built with the sanitizer, which would
# take their locks for none. libsignet cannot be: Embedded Swift has none of the sanitizer's calls. valgrind's helgrind watches it
# in libsignetTests.
set -eu
build=$1 usual=$2
reports=$build/reports
programs=$build/programs
rm -rf "$reports" "$programs"
mkdir -p "$reports" "$programs"
cp "$build/debug/signetd" "$usual/debug/signet-reader" "$usual/debug/signet-passcode" "$usual/debug/signet-tpm" "$programs"

status=0
# Absolute, because a daemon may stand elsewhere, and has no PATH to look for the symbolizer in.
TSAN_OPTIONS="log_path=$(realpath "$reports")/race exitcode=66 external_symbolizer_path=$(command -v llvm-symbolizer || :)"
export TSAN_OPTIONS
# A child that is forked from many threads may wait for ever for one that it does not have; the usual run has that test.
SIGNET_TSAN=1 LIMIT_MINUTES=10 .ci/run-tests --skip-build --sanitize=thread --scratch-path "$build" \
  --skip 'a forked child has neither' || status=$?
# Of the attacks those in which threads meet; those that take memory or processes away would take them from the sanitizer.
# What looks into signetd's memory would look through the sanitizer's own, which has terabytes of addresses. How scrypt takes its
# memory is the sanitizer's then.
SIGNET_TSAN_SIGNETD=$(realpath "$programs")/signetd LIMIT_MINUTES=15 .ci/run-tests --skip-build --scratch-path "$usual" \
  --filter '^LoginTests\.' --filter '^LockoutTests\.(SessionTests|VerdictTests|StateTests|BrutePrintTests)/' \
  --skip 'TemplatesAtRestTests/' --skip 's memory is not filled at once' || status=$?
SIGNET_SANITIZED_CROWD=$(realpath "$build/debug/apple-crowd") LIMIT_MINUTES=5 .ci/run-tests --skip-build --scratch-path "$usual" \
  --filter '^LocalAuthenticationTests\.CrowdTests/' || status=$?

for report in "$reports"/*; do
  [ -e "$report" ] || break
  status=1
  cat "$report"
done
[ "$status" = 0 ] || echo "make tsan: FAILED (status $status); a race that was seen is shown above and kept in $reports" >&2
exit "$status"
