"""The studio: a local web server with an HTTP API and a page that shows every figure while a bet is edited.

`bets` and `answers` turn requests into answers, `worker` and `pool` compute them in processes with limits, `security`
rejects forbidden requests, `server` defines the routes and `command` starts the server. The page itself is in
the folder `page`.
"""
