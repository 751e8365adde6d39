"""The bench in a browser: a small server on this machine, its HTTP API, and one page that asks it while you type.

`places` and `marks` say where in a bet's text something stands, `posted` and `answers` turn what was sent into answers,
`worker` and `workers` work them out in processes with limits, `guard` refuses what must not come in, `server` has the
addresses and `command` starts it all. The page itself is in the folder `page`.
"""
