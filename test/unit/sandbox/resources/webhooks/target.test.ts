import { expect, test } from 'vitest'
import {
  checkedTarget,
  type DeliveryPolicy,
  TargetNotAllowed,
} from '../../../../../src/sandbox/resources/webhooks/target.ts'

const reach: DeliveryPolicy = {
  allowedHosts: ['Shop.example', '10.1.2.3', 'rebound.example', '169.254.169.254', '0.0.0.0'],
  ownPort: () => 8099,
}

/** Names that this test resolves; looking up any other one is a bug of the code under test. */
async function resolve(name: string): Promise<string[]> {
  const known: Record<string, string[]> = {
    localhost: ['::1', '127.0.0.1'],
    'api.localhost': ['127.0.0.1'],
    'odd.localhost': ['127.0.0.1', '192.168.0.7'],
    'shop.example': ['203.0.113.9', '2001:db8::9'],
    'rebound.example': ['203.0.113.9', '169.254.169.254'],
  }
  const addresses = known[name]
  if (!addresses) throw new Error(`${name} was looked up`)
  return addresses
}

const checked = (address: string) => checkedTarget(address, reach, resolve)

test.each([
  'http://127.0.0.1:3000/hooks?a=b',
  'https://127.9.9.9/',
  'http://localhost:3000',
  'http://LOCALHOST.:3000',
  'http://api.localhost',
  'http://[::1]:3000',
  'http://[::ffff:127.0.0.1]:3000',
  'http://0x7f.1:3000',
  'http://2130706433:3000',
  'https://shop.example/hooks',
  'http://10.1.2.3:8099',
])('%s may be called', async (address) => {
  await expect(checked(address)).resolves.toBeDefined()
})

test.each([
  ['https://other.example/hooks', 'other.example is not on this computer; --webhook-allow other.example allows it'],
  ['http://10.1.2.4', '10.1.2.4 is not on this computer; --webhook-allow 10.1.2.4 allows it'],
  ['http://[::ffff:10.1.2.4]', /^::ffff:a01:204 is not on this computer/],
  ['http://[fd12::1]', /is not on this computer/],
  ['http://localhost.evil.example', /is not on this computer/],
  ['http://127.0.0.1.evil.example', /is not on this computer/],
  ['http://169.254.169.254/latest/meta-data', '169.254.169.254 is never called'],
  ['http://0.0.0.0:3000', '0.0.0.0 is never called'],
  ['http://169.254.7.7', '169.254.7.7 is never called'],
  ['http://[::ffff:0.0.0.1]', /^::ffff:0:1 is never called/],
  ['http://metadata.google.internal/', 'metadata.google.internal is a metadata service'],
  ['https://rebound.example', 'rebound.example resolves to 169.254.169.254, which is never called'],
  ['http://odd.localhost', 'odd.localhost resolves to 192.168.0.7, which is not on this computer'],
  ['http://127.0.0.1:8099/v1/vouchers', '127.0.0.1:8099 is the sandbox itself'],
  ['http://localhost:8099', 'localhost:8099 is the sandbox itself'],
  ['ftp://127.0.0.1', 'ftp: is not http or https'],
])('%s is never called', async (address, reason) => {
  const refusal = await checked(address).then(
    () => undefined,
    (error: unknown) => error,
  )

  expect(refusal).toBeInstanceOf(TargetNotAllowed)
  expect((refusal as Error).message).toMatch(reason)
})

test('the checked addresses are the ones that are called, whatever the name resolves to by then', async () => {
  const { lookup } = await checked('https://shop.example')

  const all = await new Promise((found) => lookup('shop.example', { all: true }, (_, addresses) => found(addresses)))
  const one = await new Promise((found) => lookup('shop.example', {}, (_, ...address) => found(address)))

  expect(all).toEqual([
    { address: '203.0.113.9', family: 4 },
    { address: '2001:db8::9', family: 6 },
  ])
  expect(one).toEqual(['203.0.113.9', 4])
})
