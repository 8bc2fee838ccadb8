// The documents that are sessions: their commands, run as they stand there, print what it says. `npm test` takes a part of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runShell } from './support/child.ts'
import { needing } from './support/programs.ts'
import { temporaryFolder } from './support/promo.ts'
import { runScript } from './support/shell.ts'
import { sampled, sized } from './support/size.ts'
import { root } from './support/source-files.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const consoleBlocks = (text: string) => [...text.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) => block)

/** What is run in a home of its own: pages, and each recipe after the beginning that they share. */
const [beginning = '', ...recipes] = read('docs/recipes.md').split(/^## /m)
// A block of `shell-session` needs what a test has not: an archive, another Node, Docker.
const pages = [
  'README.md',
  ...'agents bulk checks command-line config install ledger sandbox'.split(' ').map((page) => `docs/${page}.md`),
]
const sessions = [
  ...pages.map((page) => [page, consoleBlocks(read(page))] as const),
  ...recipes.map(
    (recipe) => [`docs/recipes.md: ${recipe.split('\n')[0]}`, consoleBlocks(`${beginning}${recipe}`)] as const,
  ),
]

test.each(sampled(sessions, 3))(
  'the commands of %s, run in order from an empty home, print what it says',
  needing('bash'),
  async (_page, blocks) => {
    const folder = temporaryFolder()
    const steps = blocks.flatMap((block) => block.split(/^\$ /m).filter((step) => step !== '' && step !== 'npm ci\n'))

    const shown = []
    for (const step of steps) {
      const [command = ''] = step.split('\n')
      // What is killed must not be this process.
      const run = command.includes('kill -9') ? runShell : runScript
      const { stdout } = await run(command.replace(/^npx /, ''), folder)
      shown.push(`${command}\n${stdout.trimEnd()}`.trimEnd())
    }

    expect(shown).toEqual(steps.map((step) => step.trimEnd()))
  },
)

test('each page that is a session has commands, and each recipe some of its own', () => {
  const least = sessions.map(([page]) => (pages.includes(page) ? 1 : 2))

  expect(recipes.length).toBeGreaterThan(5)
  expect(sessions.filter(([, blocks], at) => blocks.length < (least[at] ?? 0))).toEqual([])
})

if (sized({ quick: false, slow: true })) {
  test(
    'the commands of docs/sandbox-for-tests.md, run in one shell beside a running sandbox, print what it says',
    needing('bash', 'jq'),
    async () => {
      const [block = ''] = consoleBlocks(read('docs/sandbox-for-tests.md'))
      const steps = block.split(/^\$ /m).filter((step) => step !== '')
      const commands = steps.map((step) => step.split('\n')[0] ?? '')

      // With job control the server, too, ends by `kill`: here promo is a function.
      const script = [
        'set -m',
        ...commands.map((line) => `${line}; echo '-- '`).toSpliced(0, 1, `${commands[0]} echo '-- '`),
      ]
      const { stdout } = await runShell(script.join('\n'), temporaryFolder())

      expect(stdout.split('-- \n').map((output, at) => `${commands[at] ?? ''}\n${output}`)).toEqual([...steps, '\n'])
    },
  )

  test('the commands that SKILL.md shows a coding agent work, and it is short', needing('bash'), async () => {
    const skill = read('docs/agents/SKILL.md')
    const lines = [...skill.matchAll(/^\$ (.*)$/gm)].map(([, line = '']) => line)

    const { exitCode, stderr } = await runScript(['set -e', ...lines].join('\n'), temporaryFolder())

    expect(stderr).not.toMatch(/^promo: /m)
    expect(exitCode).toBe(0)
    expect(lines.length).toBeGreaterThan(12)
    expect(skill.split('\n').length).toBeLessThanOrEqual(150)
  })
}
