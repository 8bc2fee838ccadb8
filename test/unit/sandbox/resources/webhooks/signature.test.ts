import { expect, test } from 'vitest'
import { signatureOf } from '../../../../../src/sandbox/http/envelope.ts'

test.each([
  ['{"a":1}', 'a17d2ac229d1ebbb5f10e839c7985c4818e5986eab297f7e5979196d4d7d3ed2'],
  ['{"a\\"b":1}', 'f7cf97814a03146abedb9793f56e1dec34f618f82d10395310d053f749483ffb'],
  ['  message  ', '53ff92957e1427ce23ad5bda9d0c5f2f4ff384d0806b83eeacb510c842d3a358'],
])('the signature of %s under the published key is the published one', (body, signature) => {
  expect(signatureOf(body, 'secretKey')).toBe(signature)
})
