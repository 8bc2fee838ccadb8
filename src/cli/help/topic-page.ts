// The help of a topic, and of the entire program.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ManifestCommand } from './manifest.ts'
import { commandWords, list, type Page, type PageStyle, section, sentence } from './page.ts'

/** The topics, and the commands without one, by what they are for. */
export const purposes: Readonly<Record<string, readonly string[]>> = {
  'CODES AND CAMPAIGNS': ['vouchers', 'campaigns', 'categories', 'templates'],
  'AT THE TILL': ['validate', 'qualify', 'redemptions', 'publications'],
  'CUSTOMERS AND LOYALTY': ['customers', 'segments', 'orders', 'loyalty', 'rewards', 'referrals', 'ledger'],
  'THE PROJECT': [
    'config',
    'check',
    'projects',
    'rules',
    'promotions',
    'products',
    'skus',
    'metadata',
    'webhooks',
    'events',
  ],
  'THE SERVICE': ['api', 'async', 'exports', 'sandbox', 'token'],
  'THIS COMPUTER': ['jobs', 'history', 'profiles', 'login', 'whoami', 'doctor', 'mcp'],
  'ABOUT PROMO': ['help', 'commands', 'autocomplete', 'version'],
}

/** Returns the page of the entire program: what there is, and where to read on. */
export function programPage(root: string, style: PageStyle): Page {
  const docs = documentsFolder(root)
  return [
    sentence('promo: promotions, vouchers, loyalty and referrals from the command line', style),
    section('USAGE', ['$ promo COMMAND [flags]'], style),
    list(
      'COMMANDS',
      Object.entries(purposes).map(([purpose, names]) => ({ name: purpose, text: names.join('  ') })),
      style,
    ),
    section(
      'EXAMPLES',
      [
        '$ promo vouchers disable --from codes.csv',
        '$ promo customers show ann@example.com',
        '$ promo config pull shop',
      ],
      style,
    ),
    list(
      'MORE',
      [
        { name: 'promo help vouchers', text: 'the commands of a topic' },
        { name: 'promo help vouchers disable', text: 'one command, in full (-h: in brief)' },
        { name: 'promo help lost card', text: 'what there is about some words' },
        { name: 'promo help flags', text: 'a guide; others: formats, exit-codes, environment' },
        ...(docs === undefined ? [] : [{ name: 'documents', text: docs }]),
      ],
      style,
    ),
  ]
}

/** Returns the page of a topic: its commands, and those of its parts. */
export function topicPage(topic: string, description: string, all: readonly ManifestCommand[], style: PageStyle): Page {
  const commands = all
    .filter(({ hidden }) => !hidden)
    .flatMap(({ id, aliases, summary }) =>
      [id, ...aliases].map((name) => ({ name: commandWords(name), text: summary })),
    )
    .filter(({ name }) => name.startsWith(`${commandWords(topic)} `))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
  return [
    sentence(description, style),
    section('USAGE', [`$ promo ${commandWords(topic)} COMMAND`], style),
    list('COMMANDS', commands, style),
  ]
}

/** Returns the folder of the documents: in the package, beside it in an archive, or where Debian has it; undefined without one. */
export function documentsFolder(root: string): string | undefined {
  return [join(root, 'docs'), join(root, '../docs'), join(root, '../../../share/doc/promo/docs')].find((folder) =>
    existsSync(folder),
  )
}
