import { expect, test } from 'vitest'
import { folders } from '../../../src/profiles/folders.ts'

test('files are in the XDG folders below the home folder', () => {
  expect(folders({}, 'linux', '/home/ann')).toEqual({
    config: '/home/ann/.config/promo',
    state: '/home/ann/.local/state/promo',
  })
})

test('XDG variables move the folders, and a relative one is ignored', () => {
  const env = { XDG_CONFIG_HOME: '/etc/ann', XDG_STATE_HOME: './state' }

  expect(folders(env, 'linux', '/home/ann')).toEqual({
    config: '/etc/ann/promo',
    state: '/home/ann/.local/state/promo',
  })
})

test('PROMO_CONFIG_DIR and PROMO_STATE_DIR take precedence, and no home folder is then needed', () => {
  const env = { PROMO_CONFIG_DIR: '/a', PROMO_STATE_DIR: '/b', XDG_CONFIG_HOME: '/c' }

  expect(folders(env, 'linux', '')).toEqual({ config: '/a', state: '/b' })
})

test.each([
  ['', 'PROMO_CONFIG_DIR is empty'],
  ['here', 'PROMO_CONFIG_DIR is not an absolute path'],
])('PROMO_CONFIG_DIR=%j is refused', (path, message) => {
  expect(() => folders({ PROMO_CONFIG_DIR: path }, 'linux', '/home/ann')).toThrow(message)
})

test('without a home folder the error names the variables to set instead', () => {
  expect(() => folders({}, 'linux', '')).toThrow(
    expect.objectContaining({
      exitCode: 4,
      facts: { hint: 'set HOME, or PROMO_CONFIG_DIR and PROMO_STATE_DIR' },
    }),
  )
})
