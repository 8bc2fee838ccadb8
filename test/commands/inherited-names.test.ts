// Names that every JavaScript object inherits are unknown names like any other, wherever a command line may have a name.
import { expect, test } from 'vitest'
import { readManifest } from '../../src/cli/help/manifest.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { sampled } from '../support/size.ts'
import { root } from '../support/source-files.ts'

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__']
const promo = promoIn(temporaryFolder())
const topics = [...new Set(Object.keys(readManifest(root)).flatMap((id) => id.split(':').slice(0, -1).join(' ') || []))]
const get = ['vouchers', 'get', 'WELCOME-001', '--profile', 'sandbox']
const list = ['vouchers', 'list', '--profile', 'sandbox']
const write = ['vouchers', 'update', 'WELCOME-001', '--profile', 'sandbox', '--yes', '--dry-run']

const places: [place: string, lines: (name: string) => string[][]][] = [
  ['a command', (name) => [[name], [name, name], ['help', name], ['help', name, name], [name, '--help']]],
  [
    'a verb',
    (name) =>
      sampled(topics, 3 * names.length, names.indexOf(name)).flatMap((topic) => [
        [...topic.split(' '), name],
        ['help', ...topic.split(' '), name],
      ]),
  ],
  [
    'a format',
    (name) => [
      [...get, '--format', name],
      [...get, '--csv', '--csv-delimiter', name],
    ],
  ],
  ['a column', (name) => ['table', 'csv'].map((format) => [...get, '--format', format, '--columns', `code,${name}`])],
  [
    'a query',
    (name) => [
      [...get, '--query', name],
      [...get, '--json', '--query', `${name}.${name}`],
    ],
  ],
  ['a zone', (name) => [[...get, '--tz', name]]],
  [
    'a profile',
    (name) => [
      ['vouchers', 'get', 'A', '--profile', name],
      ...['use', 'show', 'remove'].map((verb) => ['profiles', verb, name, ...(verb === 'remove' ? ['--yes'] : [])]),
    ],
  ],
  ['a region', (name) => [['profiles', 'add', name, '--region', name, '--no-input']]],
  [
    'a job',
    (name) =>
      ['show', 'report', 'resume', 'retry', 'undo'].map((verb) =>
        ['jobs', verb, name, '--yes'].slice(0, /show|report/.test(verb) ? 3 : 4),
      ),
  ],
  ['a shell', (name) => [['completion', name]]],
  [
    'an order or a filter',
    (name) => [
      [...list, '--order', name],
      [...list, '--where', `${name}=1`],
      [...list, '--type', name],
    ],
  ],
  [
    'a member',
    (name) => [
      [...write, '--set', `${name}=1`],
      [...write, '--set', `metadata.${name}=1`],
      [...write, '--set', `${name}.${name}=1`],
    ],
  ],
  [
    'a flag',
    (name) => [
      [...get, `--${name}`],
      [...get, `--${name}=1`],
    ],
  ],
  [
    'an object of the service',
    (name) => [
      ['vouchers', 'get', name, '--profile', 'sandbox'],
      ['exports', 'create', name, '--yes', '--profile', 'sandbox'],
      ['api', 'GET', `/v1/${name}`, '--profile', 'sandbox'],
      ['api', name, '/v1/vouchers', '--profile', 'sandbox'],
    ],
  ],
  [
    'an event',
    (name) => [
      ['webhooks', 'trigger', name, '--url', 'http://127.0.0.1:9/'],
      ['webhooks', 'events', name],
    ],
  ],
]

test.each(places)('%s may have an inherited name, and is unknown', async (_, lines) => {
  const bugs = []
  for (const argv of names.flatMap(lines)) {
    const { stderr, stdout } = await promo(argv)
    if (/a bug in promo \(|\[native code\]|\[object Object\]/.test(stderr + stdout)) bugs.push({ argv, stderr })
  }

  expect(bugs).toEqual([])
})

test('a query by an inherited name finds only what the result has under it', async () => {
  const asked = async (query: string) => (await promo([...get, '--json', '--query', query])).stdout

  expect(await asked('constructor')).toBe('null\n')
  expect(await asked('__proto__')).toBe('null\n')
  expect(await asked('[code, toString, metadata.valueOf]')).toBe('[\n  "WELCOME-001",\n  null,\n  null\n]\n')
  expect(await asked('{toString: code}.toString')).toBe('"WELCOME-001"\n')
})
