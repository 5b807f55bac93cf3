#!/bin/sh
# run.sh BUILD USUAL: the tests of the daemon's own code and of the libraries', as BUILD (with the thread sanitizer) has them; then
# tests that drive a whole signetd, with BUILD's signetd between the programs of the folder USUAL; then those that drive
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
cp "$build/debug/signetd" "$usual/signet-reader" "$usual/signet-passcode" "$usual/signet-tpm" "$programs"

status=0
# What the sanitizer stands in the way of is skipped here.
unset SIGNET_WHOLE
# Absolute, because a daemon may stand elsewhere, and has no PATH to look for the symbolizer in.
TSAN_OPTIONS="log_path=$(realpath "$reports")/race exitcode=66 external_symbolizer_path=$(command -v llvm-symbolizer || :)"
export TSAN_OPTIONS
# A child that is forked from many threads may wait for ever for one that it does not have; the usual run has that test.
SIGNET_TESTS=$build/debug/signetPackageTests.xctest LIMIT_MINUTES=10 .ci/run-tests --skip 'a forked child has neither' || status=$?
# Of the tests that drive a whole signetd those in which threads meet; those that take memory or processes away would take them from the
# sanitizer. How scrypt takes its memory is the sanitizer's then.
logins='EightAskers|HeldReader|EnrollingReader|TwoReaders|AwayReader|VaultRace|ContextConnection|Context|Watch|Sleep|Lid|StoppedProcess'
logins="$logins|ScryptWait|Crash|Upgrade|SessionTokens|RandomOrder"
SIGNET_TSAN_SIGNETD=$(realpath "$programs")/signetd LIMIT_MINUTES=15 .ci/run-tests \
  --filter "^LoginTests\.($logins)Tests/" --filter '^LockoutTests\.(SessionTests|VerdictTests|StateTests|BrutePrintTests)/' \
  --skip 's memory is not filled at once' || status=$?
SIGNET_SANITIZED_CROWD=$(realpath "$build/debug/apple-crowd") LIMIT_MINUTES=5 .ci/run-tests \
  --filter '^LocalAuthenticationTests\.CrowdTests/' || status=$?

for report in "$reports"/*; do
  [ -e "$report" ] || break
  status=1
  cat "$report"
done
[ "$status" = 0 ] || echo "make tsan: FAILED (status $status); a race that was seen is shown above and kept in $reports" >&2
exit "$status"
