// The proxies of deploy/, with their own configurations, on loopback ports.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../scripts/process.mjs'
import { call, freePort, start } from './programs.mjs'

/** @import { StartProxy } from './rolling.mjs' */

/** @param {string} name */
const deploy = (name) => readFileSync(path.join(root, 'deploy', name), 'utf8')

/**
 * @param {string} folder
 * @param {string} name
 */
function makeFolder(folder, name) {
  const own = path.join(folder, `${name}-${process.hrtime.bigint()}`)
  mkdirSync(own)
  return own
}

/**
 * Starts nginx with deploy/nginx.conf; only its ports, its name and its certificate are others.
 *
 * @param {string} folder
 * @returns {StartProxy}
 */
export function nginx(folder) {
  return async (ports) => {
    const own = makeFolder(folder, 'nginx')
    const [port, plainPort] = [await freePort(), await freePort()]
    const key = path.join(own, 'key.pem')
    const certificate = path.join(own, 'certificate.pem')
    const subject = ['-subj', '/CN=msg.example.com', '-addext', 'subjectAltName=IP:127.0.0.1']
    call('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject])
    const site = deploy('nginx.conf')
      .replace('127.0.0.1:3000', `127.0.0.1:${ports[0]}`)
      .replace('127.0.0.1:3001', `127.0.0.1:${ports[1]}`)
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replaceAll('/var/log/nginx', own)
      .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${own}/${name};`)
      .join(' ')
    const main = `pid ${own}/pid; error_log ${own}/error.log; daemon off; events {}`
    const whole = `${main} http { ${temporary}\n${site}}`
    const file = path.join(own, 'nginx.conf')
    writeFileSync(file, whole)
    call('nginx', ['-t', '-c', file, '-e', path.join(own, 'error.log')])
    const running = start('nginx', ['-c', file, '-e', path.join(own, 'error.log')])
    // The certificate of the test is its own authority.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    return { address: `https://127.0.0.1:${port}`, stop: () => running.stop('SIGQUIT') }
  }
}

/**
 * Starts Caddy with deploy/Caddyfile, for a name without a certificate.
 *
 * @param {string} folder
 * @returns {StartProxy}
 */
export function caddy(folder) {
  return async (ports) => {
    const own = makeFolder(folder, 'caddy')
    const port = await freePort()
    const file = path.join(own, 'Caddyfile')
    writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${deploy('Caddyfile')}`)
    const upstreams = ports.map((each) => `127.0.0.1:${each}`).join(' ')
    const env = { ...process.env, HOME: own, MSGCTL_HOST: `http://127.0.0.1:${port}`, MSGCTL_API: upstreams }
    call('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'], { env })
    const running = start('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env })
    return { address: `http://127.0.0.1:${port}`, stop: () => running.stop() }
  }
}

/**
 * Starts HAProxy with deploy/haproxy.cfg.
 *
 * @param {string} folder
 * @returns {StartProxy}
 */
export function haproxy(folder) {
  return async (ports) => {
    const own = makeFolder(folder, 'haproxy')
    const port = await freePort()
    const file = path.join(own, 'haproxy.cfg')
    const whole = deploy('haproxy.cfg')
      .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports[0]}`)
      .replaceAll('127.0.0.1:3001', `127.0.0.1:${ports[1]}`)
    writeFileSync(file, whole)
    call('haproxy', ['-c', '-f', file])
    const running = start('haproxy', ['-f', file])
    return { address: `http://127.0.0.1:${port}`, stop: () => running.stop() }
  }
}
