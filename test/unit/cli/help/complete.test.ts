import { describe, expect, test } from 'vitest'
import { candidatesFor } from '../../../../src/cli/help/complete.ts'
import type { ManifestCommand } from '../../../../src/cli/help/manifest.ts'

const flag = (name: string, more: object = {}) => ({ [name]: { name, type: 'option', ...more } })

const command = (id: string, more: object = {}) =>
  ({ id, summary: `About ${id}`, aliases: [], args: {}, flags: {}, ...more }) as unknown as ManifestCommand

const commands = [
  command('autocomplete', { args: { shell: { name: 'shell', options: ['bash', 'zsh'] } } }),
  command('help', { args: { words: { name: 'words', multiple: true } } }),
  command('api', {
    args: { method: { name: 'method', options: ['GET', 'POST'] }, path: { name: 'path' } },
    flags: flag('out'),
  }),
  command('jobs:show', { args: { job: { name: 'job' } } }),
  command('jobs:list'),
  command('loyalty:cards:get'),
  command('profiles:add', { args: { name: { name: 'name' } } }),
  command('profiles:use', { args: { name: { name: 'name' } }, aliases: ['profiles:choose'] }),
  command('token:create', { flags: flag('scope', { multiple: true }) }),
  command('vouchers:disable'),
  command('vouchers:list', {
    flags: {
      ...flag('format', { options: ['table', 'json', 'jsonl'] }),
      ...flag('columns'),
      ...flag('out'),
      ...flag('profile', { char: 'p' }),
      ...flag('set', { multiple: true }),
      active: { name: 'active', type: 'boolean', allowNo: true, description: 'only what is on' },
    },
  }),
  command('webhooks:create', { flags: flag('event', { multiple: true }) }),
]

const values = {
  profiles: async () => ['sandbox', 'live'],
  jobs: async () => ['20260202-abcdef', '20260101-bcdefg'],
  scopes: async () => ['api', 'vouchers'],
  columns: async (id: string) => (id === 'vouchers:list' ? ['id', 'code', 'campaign'] : []),
  webhookEvents: async () => ['voucher.created', 'voucher.deleted', 'customer.created'],
}

async function complete(...words: string[]) {
  return (await candidatesFor(words, commands, values)).map(({ value }) => value)
}

describe('completion of commands', () => {
  test.each([
    [
      'every first word',
      [''],
      ['autocomplete', 'help', 'api', 'jobs', 'loyalty', 'profiles', 'token', 'vouchers', 'webhooks'],
    ],
    ['what goes without a command', ['-'], ['--help', '--version']],
    ['guides after help', ['help', 'e'], ['exit-codes', 'environment']],
    ['a first word', ['vou'], ['vouchers']],
    ['a second word', ['vouchers', ''], ['disable', 'list']],
    ['a second word that is begun', ['vouchers', 'di'], ['disable']],
    ['a topic in a topic', ['loyalty', ''], ['cards']],
    ['the words of a command after help', ['help', 'vouchers', 'l'], ['list']],
    ['the same for the space that PowerShell passes for an empty word', ['loyalty', ' '], ['cards']],
    ['nothing for a word that is no command', ['nonsense', ''], []],
  ])('offers %s', async (_, words, expected) => {
    expect(await complete(...words)).toEqual(expected)
  })

  test('says of a command what it is, and of a topic nothing', async () => {
    const [disable] = await candidatesFor(['vouchers', 'd'], commands, values)
    const [topic] = await candidatesFor(['vou'], commands, values)

    expect(disable).toEqual({ value: 'disable', about: 'About vouchers:disable' })
    expect(topic).toEqual({ value: 'vouchers' })
  })
})

describe('completion of flags and values', () => {
  const list = (...words: string[]) => complete('vouchers', 'list', ...words)

  test.each([
    ['flags that begin like the word', ['--o'], ['--out']],
    [
      'every flag',
      ['-'],
      ['--format', '--columns', '--out', '--profile', '--set', '--active', '--no-active', '--help'],
    ],
    ['the form of a switch that says no', ['--n'], ['--no-active']],
    ['no flag twice', ['--format', 'json', '--f'], []],
    ['no flag twice, by its short form', ['-p', 'live', '--p'], []],
    ['a flag again that may be repeated', ['--set', 'a=1', '--s'], ['--set']],
    ['the values of a flag', ['--format', ''], ['table', 'json', 'jsonl']],
    ['the values of a flag that are begun', ['--format', 'js'], ['json', 'jsonl']],
    ['the values of a flag in one word', ['--format=t'], ['--format=table']],
    ['the values of a flag as bash breaks the word', ['--format', '=', 't'], ['table']],
    ['the values of a flag as bash breaks the word before its end', ['--format', '='], ['table', 'json', 'jsonl']],
    ['profiles', ['--profile', 'l'], ['live']],
    ['profiles after the short form', ['-p', ''], ['sandbox', 'live']],
    ['columns', ['--columns', 'c'], ['code', 'campaign']],
    ['columns after those that are given', ['--columns', 'id,code,'], ['id,code,campaign']],
    ['nothing for a file', ['--out', ''], []],
    ['nothing after the end of flags', ['--', '--f'], []],
    ['nothing for what lives in the service', [''], []],
  ])('offers %s', async (_, words, expected) => {
    expect(await list(...words)).toEqual(expected)
  })

  test.each([
    ['profiles to a command over profiles', ['profiles', 'use', ''], ['sandbox', 'live']],
    ['the same to its alias', ['profiles', 'choose', 's'], ['sandbox']],
    ['no profile as the name of a new one', ['profiles', 'add', ''], []],
    ['scopes', ['token', 'create', '--scope', 'v'], ['vouchers']],
    ['webhook events', ['webhooks', 'create', '--event', 'voucher.c'], ['voucher.created']],
    ['webhook events in a list', ['webhooks', 'create', '--event', 'a,customer'], ['a,customer.created']],
    ['jobs to a command over jobs', ['jobs', 'show', ''], ['20260202-abcdef', '20260101-bcdefg']],
    ['no job where none is taken', ['jobs', 'list', ''], []],
    ['the values of the argument whose turn it is', ['api', '--out', 'x', ''], ['GET', 'POST']],
    ['nothing for the argument after it', ['api', 'GET', ''], []],
    ['the values of an argument', ['autocomplete', 'b'], ['bash']],
  ])('offers %s', async (_, words, expected) => {
    expect(await complete(...words)).toEqual(expected)
  })
})
