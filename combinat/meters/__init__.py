"""Progressive meters: long-run hold, accrual between hits, hits per session, and explanations of a published hold."""
