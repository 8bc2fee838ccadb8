import { describe, expect, test } from 'vitest'
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

describe('on Windows', () => {
  const home = 'C:\\Users\\ann'

  test('settings roam with the user, and jobs stay on the computer', () => {
    const env = { APPDATA: 'D:\\Roaming', LOCALAPPDATA: 'D:\\Local', XDG_CONFIG_HOME: 'C:\\xdg' }

    expect(folders(env, 'win32', home)).toEqual({ config: 'D:\\Roaming\\promo', state: 'D:\\Local\\promo\\state' })
  })

  test.each([{}, { APPDATA: 'Roaming', LOCALAPPDATA: '.\\Local' }])(
    'without absolute variables they are in the home folder: %j',
    (env) => {
      expect(folders(env, 'win32', home)).toEqual({
        config: 'C:\\Users\\ann\\AppData\\Roaming\\promo',
        state: 'C:\\Users\\ann\\AppData\\Local\\promo\\state',
      })
    },
  )

  test('the variables of promo take absolute paths with a drive, and the hints name what Windows has', () => {
    const own = { PROMO_CONFIG_DIR: 'E:\\promo', PROMO_STATE_DIR: '\\\\server\\share\\promo' }

    expect(folders(own, 'win32', '')).toEqual({ config: own.PROMO_CONFIG_DIR, state: own.PROMO_STATE_DIR })
    expect(() => folders({ PROMO_CONFIG_DIR: 'promo' }, 'win32', home)).toThrow(
      expect.objectContaining({
        facts: { hint: 'unset PROMO_CONFIG_DIR, or set it to a folder such as "%USERPROFILE%\\promo"' },
      }),
    )
    expect(() => folders({}, 'win32', '')).toThrow(
      expect.objectContaining({ facts: { hint: 'set USERPROFILE, or PROMO_CONFIG_DIR and PROMO_STATE_DIR' } }),
    )
  })
})
