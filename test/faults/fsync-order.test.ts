// No request leaves before its intent is on the disk. kill -9 cannot test this: the operating system keeps written data.
// Source: docs/reliability.md#layers, "fsync order".
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageOfMark } from '../support/journals.ts'
import { needing } from '../support/programs.ts'
import { ended, type JobOptions, prepareJob } from './job.ts'
import type { RowClass } from './oracle.ts'
import type { Bug } from './seeded-bug.ts'
import { type Build, buildWithSeams } from './seeded-build.ts'
import { type SystemCall, systemCallsIn, tracing } from './system-calls.ts'

const rows = 120

/** The program that is traced; by default the built one, without bugs. */
type Program = Pick<JobOptions, 'bin' | 'bug'>

describe('the journal', needing('bash', 'strace'), () => {
  let build: Build
  beforeAll(async () => {
    build = await buildWithSeams()
  })
  afterAll(() => build[Symbol.dispose]())

  test.each<RowClass>(['create', 'disable', 'events'])(
    'is on the disk with the intent of each row of %s before its request leaves',
    async (rowClass) => {
      const { early, requests } = await earlyRequests(rowClass)

      expect({ early, requests }).toEqual({ early: [], requests: rows })
    },
  )

  test('is found late when the program does not wait for the disk', async () => {
    const { early } = await earlyRequests('events', { bin: build.bin, bug: 'no wait for the disk' })

    expect(early).toHaveLength(rows)
  })

  test('has all rows on the disk before it is renamed, and its name before it is begun, with few syncs', async () => {
    const { rowSyncs, nameSyncs, syncsToRequest } = await publication()

    expect([rowSyncs, nameSyncs]).toEqual([1, 1])
    // These two, three for the WAL that SQLite creates, three to have the start of the run in the file itself, one for the
    // first intents.
    expect(syncsToRequest).toBeLessThanOrEqual(9)
  })

  test.each<[string, Bug, number[]]>([
    ['its rows', 'rows are not synced', [0, 1]],
    ['its name', 'name is not synced', [1, 0]],
  ])('is found to begin too early without %s', async (_, bug, seen) => {
    const { rowSyncs, nameSyncs } = await publication({ bin: build.bin, bug })

    expect([rowSyncs, nameSyncs]).toEqual(seen)
  })
})

/** Runs a job under strace and returns its system calls, and what `look` reads in its file. */
async function traced<Seen>(rowClass: RowClass, program: Program, look: (file: string) => Seen) {
  await using job = await prepareJob({ rowClass, rows, concurrency: 8, ...program })
  const trace = join(job.folder, 'trace')
  const { exitCode, stderr } = await ended(job.start({ shell: `exec ${tracing} -o ${trace}` }))
  if (exitCode !== 0) throw new Error(`promo ended with exit code ${exitCode}: ${stderr}`)
  const [file = ''] = globSync(join(job.folder, 'state/jobs/*.sqlite')).filter((path) => !path.includes('.lock'))
  return { file, calls: systemCallsIn(trace), seen: look(file) }
}

/** Runs a job and counts syncs: of its rows before the rename, of its name before the begin, all before the first request. */
async function publication(program: Program = {}) {
  const { file, calls } = await traced('create', program, () => {})

  const isDraft = (path: string) => /\/draft-[0-9a-f]+\.sqlite$/.test(path)
  const naming = calls.find(({ name, bytes }) => name.startsWith('rename') && bytes.toString().endsWith(file))
  const written = calls.findLast(({ name, on }) => name === 'pwrite64' && isDraft(on))
  const begun = calls.find(({ name, on }) => name === 'pwrite64' && on === `${file}-wal`)
  const request = calls.find(({ bytes }) => bytes.toString().startsWith('POST '))
  if (!naming || !written || !begun || !request) throw new Error('no draft, no job or no request was seen')
  const syncs = calls.filter(({ name }) => name === 'fsync' || name === 'fdatasync')
  const between = (one: SystemCall, other: SystemCall) =>
    syncs.filter(({ calledAt, returnedAt }) => calledAt > one.returnedAt && returnedAt < other.calledAt)
  return {
    rowSyncs: between(written, naming).filter(({ on }) => isDraft(on)).length,
    nameSyncs: between(naming, begun).filter(({ on }) => on === dirname(file)).length,
    syncsToRequest: syncs.filter(({ calledAt }) => calledAt < request.calledAt).length,
  }
}

/** Runs a job under strace and returns the rows whose request was written before a sync of their intent had returned. */
async function earlyRequests(rowClass: RowClass, program: Program = {}) {
  const { file, calls, seen: markPage } = await traced(rowClass, program, pageOfMark)

  const wal = calls.filter(({ on }) => on === `${file}-wal`)
  const marks = marksIn(
    wal.filter(({ name }) => name === 'pwrite64'),
    markPage,
  )
  const syncs = wal.filter(({ name }) => name === 'fdatasync' || name === 'fsync')
  const durable = syncs.map(({ calledAt, returnedAt }) => {
    const covered = marks.filter((mark) => mark.writtenAt < calledAt).map(({ begun }) => begun)
    return { returnedAt, begun: Math.max(0, ...covered) }
  })
  const sent = calls.flatMap(({ bytes, calledAt }) => {
    const [, row] = /^POST .*(?:(?:NEW|OLD)-|"row":)(\d+)/s.exec(bytes.toString()) ?? []
    return row === undefined ? [] : [{ row: Number(row), calledAt }]
  })
  const early = sent.filter(({ row, calledAt }) => {
    return !durable.some(({ returnedAt, begun }) => returnedAt < calledAt && begun >= row)
  })
  return { early: early.map(({ row }) => row), requests: sent.length }
}

/** The marks written into the WAL, each a header of 24 bytes that names the page, followed by the page. */
function marksIn(writes: { bytes: Buffer; returnedAt: number }[], markPage: number) {
  return writes.flatMap(({ bytes, returnedAt }, index) => {
    const head = writes[index - 1]?.bytes
    const isMark = bytes.length === 4096 && head?.length === 24 && head.readUInt32BE(0) === markPage
    return isMark ? [{ begun: begunIn(bytes), writtenAt: returnedAt }] : []
  })
}

/** Reads the second column of the only row of a page. Source: SQLite's file format, §1.6 and §2.1. */
function begunIn(page: Buffer): number {
  const cell = page.readUInt16BE(8)
  const headBytes = page.readUInt8(cell + 2)
  const type = page.readUInt8(cell + 4)
  const value = cell + 2 + headBytes
  if (type === 8 || type === 9) return type - 8
  return page.readIntBE(value, type)
}
