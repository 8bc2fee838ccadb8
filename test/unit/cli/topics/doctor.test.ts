import { release } from 'node:os'
import { expect, test } from 'vitest'
import { type PlatformFacts, platformFacts, platformInWords } from '../../../../src/cli/topics/doctor/platform.ts'

const computer: PlatformFacts = { platform: 'linux', arch: 'x64', release: '6.1.0', processor: 'Xeon', glibc: '2.36' }

test('the platform of this computer is named', async () => {
  const facts = await platformFacts()

  expect(facts).toMatchObject({ platform: process.platform, arch: process.arch, release: release() })
  expect(platformInWords(facts).found).toMatch(`${process.platform} ${release()} on ${process.arch}`)
})

test.each<[Partial<PlatformFacts>, string, string]>([
  [{}, 'linux 6.1.0 on x64', ''],
  [{ glibc: undefined }, 'linux 6.1.0 on x64, with a C library other than glibc', ''],
  [
    { release: '5.15.90-microsoft-standard-WSL2' },
    'linux 5.15.90-microsoft-standard-WSL2 on x64, in Windows (WSL)',
    'keep PROMO_STATE_DIR off /mnt: a file of Windows has no owner and locks slowly',
  ],
  [{ platform: 'darwin', arch: 'arm64', processor: 'Apple M2', glibc: undefined }, 'darwin 6.1.0 on arm64', ''],
  [
    { platform: 'darwin', processor: 'Apple M2', glibc: undefined },
    'darwin 6.1.0 on x64, translated for an Apple processor',
    'install promo and Node for arm64: they are faster',
  ],
  [{ platform: 'darwin', processor: 'Intel(R) Core(TM)', glibc: undefined }, 'darwin 6.1.0 on x64', ''],
  [
    { platform: 'win32', release: '10.0.22631', glibc: undefined },
    'win32 10.0.22631 on x64; who else may read its folders is not checked',
    '',
  ],
])('%j is told as %s', (facts, found, todo) => {
  expect(platformInWords({ ...computer, ...facts })).toEqual({ found, todo })
})
