// A journal after any truncation or bit flip: it is refused, or claims of no row what it did not claim before.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { holdsInTime } from '../support/fuzz.ts'
import { disable } from '../support/jobs.ts'
import { promoIn, temporaryFolder } from '../support/promo.ts'

const folder = temporaryFolder()
const promo = promoIn(folder)
let path: string
let sound: Buffer
let report: string

beforeAll(async () => {
  const input = join(folder, 'codes.csv')
  writeFileSync(input, 'code,note\nMORNING,a\nNO-1,b\nBEANS10,c\nNO-2,d\nSORRY5,e\n')
  await promo(disable(input))
  path = JSON.parse((await promo(['jobs', 'list', '--json'])).stdout)[0].path
  sound = readFileSync(path)
  report = (await promo(['jobs', 'report', path, '--csv'])).stdout
})

const damage = fc.record({
  kind: fc.constantFrom('bit' as const, 'cut' as const, 'blank' as const),
  at: fc.nat(),
  bit: fc.nat(7),
  count: fc.integer({ min: 1, max: 4096 }),
})

function damaged(
  bytes: Buffer,
  { kind, at, bit, count }: typeof damage extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  const offset = at % bytes.length
  if (kind === 'cut') return bytes.subarray(0, offset)
  if (kind === 'blank') return bytes.fill(0, offset, Math.min(bytes.length, offset + count))
  bytes[offset] = (bytes[offset] ?? 0) ^ (1 << bit)
  return bytes
}

test('damage never makes an outcome that a row did not have', async () => {
  const claims = new Set(report.split('\n'))
  await holdsInTime(
    fc.asyncProperty(damage, async (how) => {
      const copy = join(folder, 'copy.sqlite')
      copyFileSync(path, copy)
      writeFileSync(copy, damaged(Buffer.from(sound), how))

      const { exitCode, stdout } = await promo(['jobs', 'report', copy, '--csv'])

      expect([0, 2, 9, 10]).toContain(exitCode)
      if (exitCode === 0) expect(stdout).toBe(report)
      else for (const line of stdout.split('\n')) expect(claims).toContain(line)
    }),
    60,
  )
})
