// A next step is pasted into a shell: whatever it names that is not a word of promo's own is quoted where the step is written.
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { sourceFiles } from '../support/source-files.ts'

/** Names of commands, flags, kinds and profiles, ids of jobs, numbers: a shell reads them as they are. */
const own = new Set([
  'command',
  'size',
  'word',
  'commandWords(alias)',
  'commandWords(topic)',
  'inverse',
  'topic',
  'verb',
  'near',
  'known',
  'begun[0]',
  "id.replaceAll(':', ' ')",
  'flag',
  'scope',
  'kind',
  'resource',
  'exportedAs',
  'ordered',
  'of',
  'named',
  'first',
  'name',
  'args.name',
  'profile',
  'profile.name',
  'describe.profile',
  'job',
  'taken',
  'number',
  'ownValue(commands, object.kind.name)?.assigned',
  "call.id.replaceAll('.', ' ')",
  'own',
  'schemaVersion',
  'url',
  'where',
  'pointsOf(before.parameters)',
  'printed.why',
])

/** Parameters that come quoted: of `instead` of an undo, and of functions whose callers quote. */
const quoted = new Set([
  'by(parent)',
  'copyWords',
  'campaign',
  'code',
  'flags',
  'ids',
  'more',
  'program',
  'project',
  'rest',
  'subject',
  'webhook',
  'wordFor',
  'words',
])

interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

function isQuoted(node: Node, text: string): boolean {
  const expression = text.slice(node.start, node.end)
  if (node.type === 'Literal' || /(?:shellWord|argumentWords)\(/.test(expression)) return true
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].every((branch) => isQuoted(branch as Node, text))
  if (node.type === 'TemplateLiteral') return (node.expressions as Node[]).every((one) => isQuoted(one, text))
  const [root = ''] = expression.split(/\W/, 1)
  const isMade = new RegExp(`\\b(?:const|let) ${root} =[^\\n]*(?:\\n[^\\n]*)?(?:shellWord|argumentWords)\\(`).test(text)
  return own.has(expression) || quoted.has(root) || quoted.has(expression) || (/^\w+$/.test(root) && isMade)
}

function unquotedIn(node: unknown, text: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap((one) => unquotedIn(one, text))
  const inside = Object.values(node).flatMap((member) => unquotedIn(member, text))
  const { type, quasis, expressions } = node as {
    type?: string
    quasis?: { value: { raw: string } }[]
    expressions?: Node[]
  }
  if (type !== 'TemplateLiteral' || quasis === undefined || expressions === undefined) return inside
  const at = quasis.findIndex(({ value }) => /(?:^|[\s(;:|])promo (?:[a-z]|$)/.test(value.raw))
  const after = at === -1 ? [] : expressions.slice(at)
  return [...inside, ...after.filter((one) => !isQuoted(one, text)).map(({ start, end }) => text.slice(start, end))]
}

test('every command line in a message quotes what it names', () => {
  const found = sourceFiles('src')
    .filter(({ text }) => text.includes('promo '))
    .flatMap(({ path, text }) =>
      unquotedIn(parseAst(text, { lang: 'ts' }, path), text).map((expression) => `${path}: \${${expression}}`),
    )

  expect(found).toEqual([])
})

test('an id that is not quoted is found', () => {
  const text = ['const hint = `try it: promo vouchers get $', '{voucher.id}, or promo jobs show $', '{job}`'].join('')

  expect(unquotedIn(parseAst(text, { lang: 'ts' }, 'x.ts'), text)).toEqual(['voucher.id'])
})
