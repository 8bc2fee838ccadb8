// Messages when the service refuses, fails, or sends unforeseen answers: through real commands.
import { describe, expect, test } from 'vitest'
import { promoIn, temporaryFolder } from '../support/promo.ts'
import { type Action, answer, scriptedServer } from '../support/scripted-server.ts'

const promo = promoIn(temporaryFolder())
const pair = { PROMO_APP_ID: 'abcd1234', PROMO_APP_TOKEN: 'token-of-the-test' }

/** Runs a command line against a service with a fixed answer. */
async function against(action: Action, argv: string[], env: Record<string, string> = pair) {
  await using server = await scriptedServer([action])
  const ran = await promo(argv, { env: { PROMO_BASE_URL: server.origin, ...env } })
  return { ...ran, host: new URL(server.origin).host, asked: server.asked }
}

const get = ['vouchers', 'get', 'SUMMER']
const unauthorized = { code: 401, message: 'Unauthorized', key: 'unauthorized' }
const forbidden = { code: 403, message: 'Forbidden', key: 'forbidden', request_id: 'v-77' }
const noPermission = { code: 403, message: 'Missing permission', key: 'missing_required_permission' }
const elsewhere = { ...forbidden, details: 'Project is bound to different region' }

describe('refused credentials', () => {
  test('a 401 names the key, its variable and the address it was sent to', async () => {
    const { exitCode, stderr, host } = await against(answer(401, unauthorized), get)

    expect(exitCode).toBe(4)
    expect(stderr).toBe(
      'promo: the service refused vouchers.get "SUMMER" (401 unauthorized: Unauthorized)\n' +
        `try: the application key from PROMO_APP_TOKEN was sent to ${host}; check the key, and whether its project is in another region (eu, us, as): promo whoami\n`,
    )
  })

  test('a 401 of a management call names the management key', async () => {
    const env = { ...pair, PROMO_MANAGEMENT_ID: 'm1', PROMO_MANAGEMENT_TOKEN: 'management-of-the-test' }

    const { stderr } = await against(answer(401, unauthorized), ['webhooks', 'list', '--project', 'proj_1'], env)

    expect(stderr).toContain('try: the management key from PROMO_MANAGEMENT_TOKEN was sent to ')
  })

  test('an unknown access token has a hint how to renew it', async () => {
    const ran = await against(answer(401, unauthorized), get, {
      PROMO_ACCESS_TOKEN: 'bearer-of-the-test',
    })

    expect(ran).toEnd(
      4,
      'the access token from PROMO_ACCESS_TOKEN was sent to ',
      'it is wrong or older than 15 minutes: promo token create --scope api --raw',
    )
  })

  test('an access token that is kept in a profile has a hint how to replace it there', async () => {
    await using server = await scriptedServer([answer(401, unauthorized)])
    await promo(`profiles add shop --base-url ${server.origin} --insecure-storage`, {
      env: { PROMO_ACCESS_TOKEN: 'bearer-of-the-test' },
    })

    const { stderr } = await promo([...get, '--profile', 'shop'])

    expect(stderr).toContain('it is wrong or older than 15 minutes: promo profiles update shop --keys\n')
  })

  test.each([
    [get, 'vouchers'],
    [['skus', 'list', 'prod_1'], 'products'],
    [['validate', 'promotions', '--amount', '100'], 'promotions'],
    [['qualify', 'campaigns', '--amount', '100'], 'campaigns'],
  ])('an access token without its scope: %j names the scope it needs', async (argv, scope) => {
    const env = { PROMO_ACCESS_TOKEN: 'bearer-of-the-test' }

    const ran = await against(answer(403, noPermission), argv, env)

    expect(ran).toEnd(4, `without the scope it needs, "${scope}": promo token create --scope ${scope} --raw`)
  })

  test('an id of the request in any form is said once', async () => {
    const { stderr } = await against(
      answer(404, { code: 404, message: 'No', key: 'not_found', request_id: 'abc-7' }),
      get,
    )

    expect(stderr.match(/abc-7/g)).toHaveLength(1)
  })

  test('a key whose role does not allow a call has a hint where roles are set', async () => {
    expect(await against(answer(403, noPermission), get)).toEnd(
      4,
      '(403 missing_required_permission: Missing permission)',
      'its role or its list of allowed addresses, both in the settings of the project',
    )
  })

  test('a project in another region has a hint how to switch to it', async () => {
    const { exitCode, stderr, host } = await against(answer(403, elsewhere), get)

    expect(exitCode).toBe(4)
    expect(stderr).toContain('403 forbidden: Forbidden; Project is bound to different region), request v-77')
    expect(stderr).toContain(`was sent to ${host}, and its project is elsewhere (eu, us, as, or a cluster of its own)`)
    expect(stderr).toContain('promo profiles add NAME --region eu\n')
  })

  describe('of a stored profile', () => {
    const folder = temporaryFolder()
    const own = promoIn(folder)

    test('name the profile, how it was chosen, and where its key is stored', async () => {
      await using server = await scriptedServer([answer(401, unauthorized)])
      await own(`profiles add live --base-url ${server.origin} --insecure-storage --no-input`, {
        env: pair,
      })

      const { stderr } = await own([...get, '--profile', 'live'])

      expect(stderr).toContain(
        `the application key from profile "live" (chosen by --profile), kept in ${folder}/config/credentials.json was sent to`,
      )
      expect(stderr).not.toContain('token-of-the-test')
    })
  })
})

describe('unusable answers', () => {
  const html = '<!doctype html><html><body>Blocked by the firewall of ACME</body></html>'
  const id = { 'x-request-id': 'v-88' }

  test.each<[string, Action, number, string]>([
    ['a refusal in the main form', answer(400, { ...forbidden, code: 400, key: 'invalid_payload' }), 3, 'request v-77'],
    [
      'a refusal in the other form',
      answer(400, { statusCode: 400, error: 'Bad Request', message: 'Invalid JSON' }, id),
      3,
      '(400: Invalid JSON), request v-88',
    ],
    [
      'a refusal whose code is a string',
      answer(404, { code: '404', message: 'Resource not found' }),
      3,
      '(404: Resource not found)',
    ],
    ['a refusal without a body', answer(404, undefined, id), 3, '(it answered 404 with an empty body), request v-88'],
    [
      'the refusal of a proxy without a body',
      answer(407, undefined),
      3,
      '(it answered 407 with an empty body)\ntry: that is not how the service answers',
    ],
    [
      'an answer of two lengths',
      { do: 'garbage', text: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 20\r\n\r\n{}' },
      5,
      'the answer breaks the rules of HTTP',
    ],
    [
      'a refusal in foreign JSON',
      answer(404, { oops: true }, id),
      3,
      '(it answered 404 with a body that does not say why), request v-88',
    ],
    ['a 401 without a body', answer(401, undefined, id), 4, '(it answered 401 with an empty body), request v-88'],
    [
      'a web page with 403',
      { do: 'text', status: 403, text: html, headers: id },
      4,
      '(it answered 403 with a web page), request v-88\ntry: that is not how the service answers',
    ],
    [
      'a web page with 404',
      { do: 'text', status: 404, text: html },
      3,
      '(it answered 404 with a web page)\ntry: that is not how the service answers',
    ],
    ['a web page with 200', { do: 'text', status: 200, text: html }, 5, 'the answer is a web page, not JSON'],
    [
      'a web page with 502',
      { do: 'text', status: 502, text: html, headers: id },
      5,
      'it answered 502 with a web page, request v-88',
    ],
    ['an error without a body', answer(500, undefined, id), 5, 'it answered 500 with an empty body, request v-88'],
    [
      'an error in the main form',
      answer(500, { code: 500, message: 'Internal', request_id: 'v-99' }),
      5,
      'it answered 500, request v-99',
    ],
    ['success without a body', answer(200, undefined, id), 5, 'the answer is empty, request v-88'],
    [
      'success in another shape',
      answer(200, { object: 'voucher', id: 'v_1' }, id),
      5,
      'the answer is not the promised one: code is missing, request v-88',
    ],
    [
      'success that is cut off',
      { do: 'truncate', status: 200, text: '{"code":"SUM' },
      5,
      'the connection was lost before the answer was complete',
    ],
    [
      'success whose end is the end of the connection',
      { do: 'cut', text: '{"code":"SUM' },
      5,
      'the answer cannot be read as JSON',
    ],
    ['no HTTP at all', { do: 'garbage', text: 'SSH-2.0-OpenSSH_9.9\r\n' }, 5, 'the answer breaks the rules of HTTP'],
    ['a connection that is closed', { do: 'close' }, 5, 'the connection was lost before the answer was complete'],
  ])('%s', async (_, action, exit, says) => {
    const { exitCode, stderr, stdout } = await against(action, [...get, '--retries', '0'])

    expect(stderr).toContain(says)
    expect(exitCode).toBe(exit)
    expect(stdout).toBe('')
    // The text of a page is not repeated, and its address may contain anything.
    expect(stderr).not.toContain('ACME')
    expect(stderr).not.toMatch(/\n {4}at /)
  })

  test('an unknown code in lower case has a hint with its upper case', async () => {
    const { stderr } = await against(answer(404, { code: 404, message: 'Resource not found' }), [
      'vouchers',
      'get',
      'summer',
    ])

    expect(stderr).toContain(
      'try: promo vouchers get SUMMER shows whether that is meant: most projects distinguish upper and lower case; check that',
    )
  })

  test('the facts of a refusal are members of the error in JSON', async () => {
    const body = { ...forbidden, code: 404, key: 'not_found', resource_id: 'SUMMER', resource_type: 'voucher' }

    const { stderr } = await against(answer(404, body), [...get, '--json'])

    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        kind: 'api',
        exit_code: 3,
        http: { method: 'GET', path: '/v1/vouchers/SUMMER', status: 404 },
        api: { code: 404, key: 'not_found', request_id: 'v-77', resource_id: 'SUMMER', resource_type: 'voucher' },
      },
    })
  })
})

describe('an unforeseen value is shown', () => {
  const voucher = {
    id: 'v_1',
    code: 'SUMMER',
    object: 'voucher',
    type: 'CRYPTO_VOUCHER',
    discount: { type: 'MOON', phase: 'new' },
    sparkle: { level: 9007199254740993n.toString() },
    active: true,
  }
  const transaction = {
    id: 'vtx_1',
    voucher_id: 'v_1',
    type: 'POINTS_GIFTED',
    source: 'MARS',
    details: null,
    mood: 'fine',
  }
  const webhook = {
    id: 'wh_1',
    target_url: 'https://x.example',
    events: ['voucher.teleported'],
    active: true,
    speed: 3,
  }
  const job = {
    id: 'exp_1',
    object: 'export',
    status: 'PAUSED',
    result: null,
    exported_object: 'dream',
    parameters: {},
  }
  const list = (data: object[]) => ({ object: 'list', data_ref: 'data', data, total: data.length, has_more: false })
  const management = { ...pair, PROMO_MANAGEMENT_ID: 'm1', PROMO_MANAGEMENT_TOKEN: 'management-of-the-test' }

  test.each<[string, string[], object, string[]]>([
    ['a type of voucher', get, voucher, ['CRYPTO_VOUCHER', 'sparkle.level']],
    [
      'a type of voucher in a list',
      ['vouchers', 'list'],
      { object: 'list', data_ref: 'vouchers', vouchers: [voucher], total: 1 },
      ['CRYPTO_VOUCHER'],
    ],
    [
      'a type of transaction',
      ['loyalty', 'transactions', 'list', 'Club'],
      list([transaction]),
      ['POINTS_GIFTED', 'MARS'],
    ],
    ['an event of a webhook', ['webhooks', 'list', '--project', 'proj_1'], list([webhook]), ['voucher.teleported']],
    ['a status of an export', ['exports', 'get', 'exp_1'], job, ['PAUSED', 'dream']],
  ])('%s', async (_, argv, body, words) => {
    const shown = await against(answer(200, body), argv, management)
    const exact = await against(answer(200, body), [...argv, '--json'], management)

    expect([shown.exitCode, shown.stderr, exact.exitCode, exact.stderr]).toEqual([0, '', 0, ''])
    for (const word of words) expect(shown.stdout).toContain(word)
    const [first] = Object.values(body).filter(Array.isArray)
    expect(JSON.parse(exact.stdout)).toEqual(first ?? body)
  })
})
