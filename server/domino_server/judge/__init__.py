"""The judge's aid: a ledger that can be checked, evidence, alerts, rulings, reports and standings."""
