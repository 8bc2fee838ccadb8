// The example manifests: the commands they run exist, and they treat each exit code according to its meaning.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { shardVariables } from '../src/bulk/shard.ts'
import { exitCodes } from '../src/cli/help/exit-codes.ts'
import { variables } from '../src/profiles/environment.ts'
import { runProgram, runShell } from './support/child.ts'
import { problemOf } from './support/manifest.ts'
import { needing } from './support/programs.ts'
import { promoIn, temporaryFolder } from './support/promo.ts'
import { whileServing } from './support/serving.ts'
import { root } from './support/source-files.ts'

const read = (name: string) => readFileSync(join(root, 'examples', name), 'utf8')

/** Exit codes that one more attempt can cure, and those it cannot. */
const transient = [5, 8, 10, 137, 143]
const lasting = [1, 2, 3, 4, 6, 7, 9, 11]

/** The codes that the comments of a file explain, each in the words of the table. */
function explained(name: string): number[] {
  const lines = [...read(name).matchAll(/^ *# +(\d+) (.+)$/gm)]
  const table = [...exitCodes, { code: 137, meaning: 'killed, or out of memory' }]
  for (const [, number, meaning] of lines) {
    expect(table.find(({ code }) => code === Number(number))?.meaning).toBe(meaning)
  }
  return lines.map(([, code]) => Number(code))
}

const namesOfVariables = (env: { name: string }[]) => env.map(({ name }) => name)

function mustBeRead(names: string[]): void {
  const known = variables.map(({ name }) => name)
  expect(names.map((name) => name.replace(/_FILE$/, '')).filter((name) => !known.includes(name))).toEqual([])
}

describe('the Kubernetes Job', () => {
  const { spec } = parse(read('kubernetes-indexed-job.yaml'))
  const pod = spec.template.spec
  const [container] = pod.containers
  const rules: { action: string; onExitCodes?: { containerName: string; operator: string; values: number[] } }[] =
    spec.podFailurePolicy.rules
  const codesOf = (action: string) => rules.find((rule) => rule.action === action)?.onExitCodes?.values ?? []

  test('runs an existing command, with as many completions as shards', () => {
    expect(problemOf(container.args.join(' '))).toBeUndefined()
    expect(container.command).toEqual(['promo'])
    expect(spec).toMatchObject({ completionMode: 'Indexed', completions: 8 })
    expect(container.args).toContain('--shard=auto/8')
    expect(shardVariables).toContain('JOB_COMPLETION_INDEX')
  })

  test('retries only what one more attempt can cure', () => {
    expect(codesOf('Count')).toEqual(transient)
    expect([...codesOf('FailJob'), ...codesOf('FailIndex')].toSorted((a, b) => a - b)).toEqual(lasting)
    expect(explained('kubernetes-indexed-job.yaml').toSorted((a, b) => a - b)).toEqual(
      [...transient, ...lasting].toSorted((a, b) => a - b),
    )
  })

  test('follows the rules of a pod failure policy', () => {
    expect(pod.restartPolicy).toBe('Never')
    expect(spec.backoffLimitPerIndex).toBeGreaterThan(0)
    expect(rules.flatMap(({ onExitCodes }) => onExitCodes ?? []).map(({ operator }) => operator)).toEqual([
      'In',
      'In',
      'In',
    ])
    for (const { onExitCodes } of rules) if (onExitCodes) expect(onExitCodes.containerName).toBe(container.name)
  })

  test('mounts every volume it has, the journal on one that outlives the pods, the keys as files', () => {
    const volumes: { name: string; persistentVolumeClaim?: object }[] = pod.volumes
    const mounts: { name: string; mountPath: string }[] = container.volumeMounts
    const journal = container.args.find((arg: string) => arg.startsWith('--journal=')).slice('--journal='.length)
    const held = mounts.find(({ mountPath }) => journal.startsWith(`${mountPath}/`))?.name

    expect(mounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name))
    expect(volumes.find(({ name }) => name === held)?.persistentVolumeClaim).toBeDefined()
    mustBeRead(namesOfVariables(container.env))
    expect(namesOfVariables(container.env)).toContain('PROMO_APP_TOKEN_FILE')
  })
})

describe('the AWS Batch array job', () => {
  const definition = JSON.parse(read('aws-batch-job-definition.json'))
  const submission = JSON.parse(read('aws-batch-submit-job.json'))
  const { command, environment, secrets } = definition.containerProperties

  test('runs an existing command, with as many tasks as shards', () => {
    expect(command[0]).toBe('promo')
    expect(problemOf(command.slice(1).join(' '))).toBeUndefined()
    expect(submission).toMatchObject({ jobDefinition: definition.jobDefinitionName, arrayProperties: { size: 8 } })
    expect(command).toContain('--shard=auto/8')
    expect(shardVariables).toContain('AWS_BATCH_JOB_ARRAY_INDEX')
  })

  test('retries what one more attempt can cure, in the five conditions that Batch accepts', () => {
    const conditions: { onExitCode?: string; action: string }[] = definition.retryStrategy.evaluateOnExit

    const retried = conditions.flatMap(({ onExitCode, action }) =>
      onExitCode && action === 'RETRY' ? [onExitCode] : [],
    )

    expect(retried).toEqual(['5', '10', '137'])
    expect(transient).toEqual(expect.arrayContaining(retried.map(Number)))
    expect(conditions.length).toBeLessThanOrEqual(5)
    expect(conditions.at(-1)).toEqual({ onReason: '*', action: 'EXIT' })
  })

  test('reads its keys from the secret store', () => {
    mustBeRead(namesOfVariables([...environment, ...secrets]))
    expect(namesOfVariables(secrets)).toEqual(['PROMO_APP_ID', 'PROMO_APP_TOKEN'])
  })
})

describe('the Slurm array', () => {
  /** Runs the script as Slurm would, with a promo that only exits with a code. */
  async function submitted(code: number, env: Record<string, string> = {}) {
    const folder = temporaryFolder()
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const program = (name: string, text: string) =>
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    program('promo', `echo "promo $*"; exit ${code}`)
    program('scontrol', 'echo "scontrol $*"')
    return await runProgram('bash', [join(root, 'examples/slurm-array.sh'), 'codes.csv'], {
      cwd: folder,
      env: {
        PATH: `${bin}:${process.env.PATH}`,
        HOME: folder,
        JOURNAL: '/shared/journal',
        SLURM_ARRAY_JOB_ID: '4711',
        SLURM_ARRAY_TASK_ID: '3',
        ...env,
      },
    })
  }

  test('runs an existing command, with as many tasks as shards', needing('bash'), async () => {
    const { exitCode, stdout } = await submitted(0)

    expect(exitCode).toBe(0)
    expect(stdout).toBe(
      'promo vouchers disable --from codes.csv --shard auto/8 --journal /shared/journal --rate 80/s --yes --no-input\n',
    )
    expect(problemOf(stdout.trim().slice('promo '.length))).toBeUndefined()
    expect(read('slurm-array.sh')).toMatch(/^#SBATCH --array=0-7$/m)
    expect(shardVariables).toContain('SLURM_ARRAY_TASK_ID')
  })

  test.each(explained('slurm-array.sh'))(
    'requeues its task after exit code %i and keeps the code',
    needing('bash'),
    async (code) => {
      const { exitCode, stdout } = await submitted(code)

      expect(transient).toContain(code)
      expect(exitCode).toBe(code)
      expect(stdout).toMatch(/^scontrol requeue 4711_3$/m)
    },
  )

  test('gives up after five attempts', needing('bash'), async () => {
    const { exitCode, stdout } = await submitted(5, { SLURM_RESTART_COUNT: '5' })

    expect(exitCode).toBe(5)
    expect(stdout).not.toContain('scontrol')
  })

  test.each(lasting)('ends with exit code %i and is not requeued', needing('bash'), async (code) => {
    const { exitCode, stdout } = await submitted(code)

    expect(exitCode).toBe(code)
    expect(stdout).not.toContain('scontrol')
  })
})

test.each(['nightly.sh', 'parallel-shards.sh', 'slurm-array.sh'])('bash parses %s', needing('bash'), async (name) => {
  const { exitCode, stderr } = await runProgram('bash', ['-n', join(root, 'examples', name)])

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
})

test('the script for GNU parallel runs existing commands and retries what one more attempt can cure', () => {
  const text = read('parallel-shards.sh')
  const commands = [...text.matchAll(/^ *promo (.+?) \|\|/gm)].map(([, line = '']) => line)

  expect(commands.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['vouchers disable', 'jobs report'])
  expect(commands.map(problemOf)).toEqual([undefined, undefined])
  expect(explained('parallel-shards.sh')).toEqual([5, 10, 137])
  expect(text).toContain('    case $code in\n      5 | 10 | 137) ')
})

test('nightly.sh retries after the codes that it explains', () => {
  expect(explained('nightly.sh')).toEqual([5, 8, 10])
})

test('a night that stopped does not stop the next one', needing('bash'), async () => {
  const folder = temporaryFolder()
  const list = join(folder, 'codes.csv')
  const night = (day: string, codes: readonly string[]) => {
    writeFileSync(list, `code\n${codes.map((code) => `${code}\n`).join('')}`)
    const date = `date() { echo ${day}; }; export -f date promo`
    return runShell(`${date}; bash examples/nightly.sh ${list}`, folder, { PROMO_PROFILE: 'sandbox', HOME: folder })
  }
  const unknown = Array.from({ length: 12 }, (_, at) => `NONE-${at}`)

  const first = await night('2026-11-22', unknown)
  const second = await night('2026-11-23', ['MORNING', 'WEEKEND'])

  expect([first.exitCode, second.exitCode], second.stderr).toEqual([7, 0])
})

describe('the sandbox in a container', () => {
  const compose = parse(readFileSync(join(root, 'examples/compose.yaml'), 'utf8'))
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const variables = Object.fromEntries(
    [...dockerfile.matchAll(/(PROMO_SANDBOX_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const { command, environment } = compose.services.promo
  const shop: string[] = compose.services.shop.command

  test('answers to the shop by its name, with the keys of the compose file', async () => {
    const [sandbox, start, ...flags] = command as string[]
    expect([sandbox, start]).toEqual(['sandbox', 'start'])
    // The port may be taken here.
    const env = { ...variables, ...environment, PROMO_SANDBOX_PORT: '0' }
    const promo = promoIn(temporaryFolder())
    await whileServing(
      promo,
      [...flags, '--data', ':memory:'],
      async ({ url }) => {
        const asked = new URL(shop.at(-1) ?? '')
        const headers = shop.filter((word) => word.startsWith('X-')).map((line) => line.split(': '))
        const status = await new Promise((resolve, reject) => {
          const target = `${url}${asked.pathname}${asked.search}`
          request(target, { headers: { ...Object.fromEntries(headers), host: asked.host } }, (answer) =>
            resolve(answer.resume().statusCode),
          )
            .on('error', reject)
            .end()
        })

        expect([status, asked.host]).toEqual([200, `promo:${variables.PROMO_SANDBOX_PORT}`])
        expect((await fetch(`${url}/health`)).status).toBe(200)
      },
      { env },
    )
  })

  test('is what the image does by default, and its health is looked at', () => {
    const words = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]')
    const actions = parse(readFileSync(join(root, 'examples/github-actions.yaml'), 'utf8'))
    const unit = readFileSync(join(root, 'examples/systemd/promo-sandbox.service'), 'utf8')
    const steps: string[] = actions.jobs.test.steps.map(({ run = '' }: { run?: string }) => run)
    const started = steps.find((run) => run.includes('promo ')) ?? ''
    const served = /^ExecStart=\S+promo (.+)$/m.exec(unit)?.[1] ?? ''

    expect(problemOf(words.join(' '))).toBeUndefined()
    expect(problemOf(started.replace(/^npx promo | 2>.*$/g, ''))).toBeUndefined()
    expect(problemOf(served)).toBeUndefined()
    expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]*\/health/m)
    expect(JSON.parse(actions.jobs.test.env.PROMO_SANDBOX_KEYS)).toHaveProperty('app_token')
  })
})

test('the container runs promo on a Node that it supports, as another user than root, and writes in its volume only', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const value = (instruction: string) => new RegExp(`^${instruction} (.+)$`, 'gm')
  const last = (instruction: string) => [...lines.matchAll(value(instruction))].at(-1)?.[1]
  const places = [...lines.matchAll(/([A-Z_]+)=(\/data\S*)/g)].map(([, name = '']) => name)

  expect(last('FROM')).toBe('node:24-slim')
  expect([last('USER'), last('VOLUME'), last('ENTRYPOINT')]).toEqual(['node', '/data', '["promo"]'])
  expect(places).toEqual(['HOME', 'PROMO_CONFIG_DIR', 'PROMO_STATE_DIR'])
  expect([...lines.matchAll(/promo (vouchers .+)$/gm)].map(([, line = '']) => problemOf(line))).toEqual([undefined])
})
