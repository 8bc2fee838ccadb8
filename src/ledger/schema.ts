// The tables of the copy, and the views on them. Instants are ISO 8601 in UTC with milliseconds; money is in the smallest currency
// unit; null: the service did not say. Source: docs/adr/0044-a-copy-of-what-happened.md.

import { movementsView } from './movements.ts'

/** 'PRML': distinguishes a copy from other SQLite databases. */
export const applicationId = 0x50524d4c

/** The version of the tables; a copy of another version is refused. */
export const schemaVersion = 1

/** The tables that are pulled. */
export const tables = [
  'campaigns',
  'customers',
  'vouchers',
  'orders',
  'redemptions',
  'publications',
  'transactions',
] as const

export type TableName = (typeof tables)[number]

/** What makes an empty file a copy. */
export const schema = `
  BEGIN;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
  CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) STRICT;
  CREATE TABLE pulls (
    id INTEGER PRIMARY KEY,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    requests INTEGER NOT NULL DEFAULT 0,
    rows INTEGER NOT NULL DEFAULT 0,
    -- running, complete or incomplete; a running one that no process has the lock of was killed.
    state TEXT NOT NULL,
    reason TEXT
  ) STRICT;
  -- One row per table. complete_until: null where it never was complete; everything up to that instant is in it. counted: by the
  -- service, held: here, without what is deleted there. missing: why it is not complete.
  CREATE TABLE sources (
    name TEXT PRIMARY KEY,
    complete_until TEXT,
    counted INTEGER,
    held INTEGER,
    missing TEXT
  ) STRICT;
  -- Up to where a list was read, committed with its rows: a pull that was killed goes on there.
  CREATE TABLE cursors (list TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  -- deleted_at: when a pull saw that the service does not have it any more.
  CREATE TABLE campaigns (
    id TEXT PRIMARY KEY, name TEXT, type TEXT, created_at TEXT, updated_at TEXT, metadata TEXT, deleted_at TEXT
  ) STRICT;
  -- The last four only with --with customers.
  CREATE TABLE customers (
    id TEXT PRIMARY KEY, source_id TEXT, created_at TEXT, updated_at TEXT, forgotten_at TEXT,
    deleted_at TEXT, name TEXT, email TEXT, phone TEXT, address TEXT
  ) STRICT;
  -- balance: credits or points when it was read.
  CREATE TABLE vouchers (
    id TEXT PRIMARY KEY, code TEXT NOT NULL, type TEXT, campaign_id TEXT, customer_id TEXT, created_at TEXT,
    updated_at TEXT, active INTEGER, starts_at TEXT, expires_at TEXT, gift_amount INTEGER, balance INTEGER,
    redemption_limit INTEGER, redeemed INTEGER, metadata TEXT, deleted_at TEXT
  ) STRICT;
  CREATE TABLE orders (
    id TEXT PRIMARY KEY, source_id TEXT, status TEXT, amount INTEGER, discount_amount INTEGER,
    total_discount_amount INTEGER, total_amount INTEGER, customer_id TEXT, created_at TEXT, updated_at TEXT, metadata TEXT,
    deleted_at TEXT
  ) STRICT;
  -- kind: redemption or rollback. object_type: voucher, promotion_tier, or redemption for the parent of several.
  -- discount_amount: what this redemption took off its order. amount: what it was paid with, credits or points; negative in a rollback.
  CREATE TABLE redemptions (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, created_at TEXT, result TEXT, status TEXT, failure_code TEXT, reason TEXT,
    object_type TEXT, object_id TEXT, code TEXT, campaign_id TEXT, customer_id TEXT, tracking_id TEXT, order_id TEXT,
    order_number TEXT, order_status TEXT, order_amount INTEGER, discount_amount INTEGER, amount INTEGER,
    gift_amount INTEGER, points INTEGER, rolls_back TEXT, parent_id TEXT, metadata TEXT,
    deleted_at TEXT
  ) STRICT;
  CREATE INDEX redemptions_by_instant ON redemptions (created_at);
  CREATE INDEX redemptions_by_order ON redemptions (order_id);
  CREATE INDEX redemptions_rolled_back ON redemptions (rolls_back) WHERE rolls_back IS NOT NULL;
  -- unit: credits or points. balance: after it.
  CREATE TABLE transactions (
    id TEXT PRIMARY KEY, card_id TEXT NOT NULL, campaign_id TEXT, type TEXT NOT NULL, unit TEXT NOT NULL, amount INTEGER,
    balance INTEGER, created_at TEXT NOT NULL, source_id TEXT, reason TEXT, source TEXT, order_id TEXT,
    redemption_id TEXT, rule_id TEXT, related_id TEXT, details TEXT
  ) STRICT;
  -- It has all that balances are made of: a million rows are not looked up one by one.
  CREATE INDEX transactions_by_card ON transactions (card_id, created_at, id, type, unit, amount, balance, campaign_id);
  CREATE INDEX transactions_by_campaign ON transactions (campaign_id, created_at);
  CREATE TABLE publications (
    id TEXT PRIMARY KEY, voucher_id TEXT, code TEXT, customer_id TEXT, campaign_id TEXT, created_at TEXT, channel TEXT,
    result TEXT, deleted_at TEXT
  ) STRICT;
  -- Each redemption with the rollback that succeeded.
  CREATE VIEW redemptions_paired AS
    SELECT redemptions.*, rollbacks.id AS rollback_id, rollbacks.created_at AS rolled_back_at, rollbacks.reason AS rollback_reason
    FROM redemptions
    LEFT JOIN redemptions AS rollbacks
      ON rollbacks.rolls_back = redemptions.id AND rollbacks.kind = 'rollback' AND rollbacks.result = 'SUCCESS'
    WHERE redemptions.kind = 'redemption';
  -- What changed the balances of cards; amount is signed.
  ${movementsView}
  COMMIT;
`
