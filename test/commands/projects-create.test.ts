import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testHome } from '../support/promo.ts'
import { type Action, scriptedServer } from '../support/scripted-server.ts'

const home = testHome()
const { promo } = home
const create = (...more: string[]) => promo(['projects', 'create', 'Tests', ...more, '--profile', 'sandbox'])

test('a new project is shown with its keys, which open it', async () => {
  const { exitCode, stdout, stderr } = await create('--type', 'SANDBOX', '--set', 'currency=EUR', '--yes', '--json')

  const project = JSON.parse(stdout)
  expect(exitCode).toBe(0)
  expect(project).toMatchObject({ name: 'Tests', is_sandbox: true, currency: 'EUR' })
  expect(project.server_side_key.app_token).toMatch(/^[0-9a-f-]{36}$/)
  expect(stderr).toContain('the keys are shown only now, and promo did not store them')
  const ids = await promo('projects list --json --query [].id --profile sandbox')
  expect(JSON.parse(ids.stdout)).toContain(project.id)
})

test('neither messages nor files of promo have the keys of a new project', async () => {
  const { stdout, stderr } = await create('--yes', '--json', '--verbose')

  const { server_side_key, client_side_key, webhook_token } = JSON.parse(stdout)
  const own = filesIn(home.folder).filter((path) => !/\.(db|sqlite)/.test(path) && !path.includes('sandbox'))
  for (const secret of [server_side_key.app_token, client_side_key.app_token, webhook_token]) {
    expect(stderr).not.toContain(secret)
    for (const path of own) expect(readFileSync(path, 'utf8')).not.toContain(secret)
  }
})

test('a table has every key, too, because no other answer has them', async () => {
  const { stdout } = await create('--yes')

  expect(stdout).toMatch(/^server_side_key\.app_token +\S{36}$/m)
  expect(stdout).toMatch(/^client_side_key\.app_token +\S{36}$/m)
})

test('nothing is created without a confirmation', async () => {
  const ran = await promo('projects create Tests -v --profile sandbox', { stdin: '' })

  expect(ran).toSendNothing(11, 'create project "Tests" in ')
})

test('a project is not created twice when an answer is lost', async () => {
  const nothing: Action = { do: 'answer', status: 404 }
  await using server = await scriptedServer(({ method }) => (method === 'GET' ? nothing : { do: 'reset' }))
  const env = { PROMO_BASE_URL: server.origin, PROMO_MANAGEMENT_ID: 'm', PROMO_MANAGEMENT_TOKEN: 't' }

  expect(await promo('projects create Tests --yes', { env })).toEnd(6)
  expect(server.asked.map(({ method }) => method)).toEqual(['GET', 'POST'])
})

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)))
}
