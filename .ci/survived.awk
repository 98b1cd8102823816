# Adds up what the tests of survival counted: a line for each kind of thing that was tried.
# Files before "part=1" on the command line are older tables, whose lines stay where nothing of theirs was tried anew.
BEGIN { FS = ","; print "what,tried,survived" }
!part && FNR > 1 { order[++n] = $1; tried[$1] = $2; survived[$1] = $3 }
part && !($1 in anew) {
	anew[$1]
	if (!($1 in tried)) order[++n] = $1
	tried[$1] = survived[$1] = 0
}
part { tried[$1] += $2; survived[$1] += $3 }
END { for (i = 1; i <= n; i++) print order[i] "," tried[order[i]] "," survived[order[i]] }
