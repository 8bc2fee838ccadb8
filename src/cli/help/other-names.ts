// What other tools call our commands and topics. None of these names runs anything: a message and the search of help lead to ours.

/** The commands, each with words that mean it; a topic among them means it where one thing is named after it. */
export const otherNames: Readonly<Record<string, readonly string[]>> = {
  api: ['call', 'curl', 'request'],
  autocomplete: ['completion'],
  'campaigns update': ['campaigns end'],
  'config apply': ['config push', 'config deploy'],
  'config mv': ['config rename'],
  'config pull': [
    'clone',
    'duplicate',
    'campaigns clone',
    'campaigns copy',
    'campaigns duplicate',
    'campaigns export',
    'config export',
    'config fetch',
  ],
  'config validate': ['config check', 'config lint'],
  'customers create': ['customers import'],
  doctor: ['status'],
  'events send': ['events track', 'events create'],
  'exports create': ['vouchers export', 'customers export', 'orders export', 'products export', 'redemptions export'],
  help: ['man'],
  'history undo': ['undo', 'undo last mistake'],
  'jobs resume': ['resume'],
  login: ['auth', 'auth login', 'configure', 'init', 'setup', 'signin'],
  'loyalty cards get': ['loyalty', 'loyalty balance', 'loyalty cards', 'loyalty points', 'loyalty points get'],
  'loyalty cards replace': ['loyalty cards lost'],
  'profiles remove': ['logout'],
  'profiles update': ['keys'],
  'profiles use': ['switch', 'use'],
  'promotions disable': ['promotions tiers disable'],
  'promotions enable': ['promotions tiers enable'],
  'promotions get': ['promotions tiers get'],
  'promotions list': ['promotions tiers list'],
  'publications create': ['publish', 'vouchers publish'],
  'redemptions create': ['redeem', 'redemptions redeem', 'vouchers redeem'],
  'redemptions rollback': ['refund', 'redemptions undo', 'vouchers rollback'],
  'referrals tree': ['referrals'],
  'sandbox start': ['mock', 'serve', 'server', 'sandbox up', 'sandbox run'],
  'validate promotions': ['qualify promotions'],
  'validate redeemables': ['explain', 'why', 'validate', 'validate voucher', 'vouchers validate'],
  'vouchers get': ['vouchers balance', 'vouchers balance get'],
  'vouchers transactions list': ['vouchers transactions'],
  'webhooks trigger': ['webhooks send', 'webhooks test'],
  whoami: ['account', 'me'],
}

/** The topics, each with words that mean it. */
export const otherTopics: Readonly<Record<string, readonly string[]>> = {
  customers: ['buyers', 'clients', 'members', 'persons', 'shoppers', 'users'],
  'loyalty programs': ['programs'],
  profiles: ['settings'],
  vouchers: ['codes', 'coupons', 'discounts', 'gift-cards', 'giftcards', 'promo-codes', 'promocodes'],
}

/** Flags of other tools, each with ours of one meaning; what may mean several, as `--from` does, is none of them. */
export const otherFlags: Readonly<Record<string, string>> = {
  count: 'limit',
  'created-after': 'since',
  'created-before': 'until',
  'end-date': 'expires',
  ends: 'expires',
  'expiration-date': 'expires',
  'expires-at': 'expires',
  expiration: 'expires',
  expiry: 'expires',
  limit: 'uses',
  'max-uses': 'uses',
  percent: 'percent-off',
  percentage: 'percent-off',
  program: 'campaign',
  since: 'created-after',
  'start-date': 'starts',
  until: 'created-before',
}

/** What is done at a time that `--at` names, each with the flag for the date of the object itself. */
export const datedCommands: Readonly<Record<string, string>> = {
  'campaigns:disable': 'expires',
  'campaigns:enable': 'starts',
}

/** Verbs of one meaning: another one than that of the topic means it. */
export const verbs: readonly (readonly string[])[] = [
  ['find', 'search', 'lookup'],
  ['show', 'get', 'view', 'info', 'describe', 'inspect', 'status'],
  ['list', 'ls', 'all', 'search', 'find'],
  ['create', 'add', 'new', 'make'],
  ['delete', 'remove', 'rm', 'del', 'erase'],
  ['disable', 'deactivate', 'off', 'block', 'lock', 'pause', 'suspend', 'stop'],
  ['enable', 'activate', 'on', 'unblock', 'unpause', 'resume', 'start'],
  ['update', 'edit', 'set', 'change', 'patch', 'extend'],
]
