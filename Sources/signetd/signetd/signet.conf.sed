# The sample of signet.conf, from its manual page: each key with its default.
1i\
# Settings of signetd(8). Each line shows a default: take the "# " away and change it. signet.conf(5) says what each does; after a\
# change say `signet check-config`, and then `systemctl restart signetd`.
/^\.Sh FILES/q
/^\.Sh \(MISSES\|WH\|THE\|WRONG\|TOKENS\|READERS\)/ {
  s/^\.Sh \(.*\)/\n# \1/p
}
/^\.It Cm [a-z_]* No = / {
  s/^\.It Cm \([a-z_]*\) No = Cm \(.*\)/# \1 = \2/p
}
