import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A certificate that a CA of our own has signed. */
export interface Certificates {
  /** The file of the CA's certificate, for NODE_EXTRA_CA_CERTS. */
  readonly caFile: string;
  readonly key: string;
  readonly cert: string;
}

/** Makes a CA and, signed by it, a certificate for these hosts. Undefined where there is no openssl. */
export function makeCertificates(folder: string, hosts: readonly string[]): Certificates | undefined {
  const path = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  try {
    openssl("version");
  } catch {
    return undefined;
  }
  writeFileSync(path("names"), `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(",")}\n`);
  openssl("req", "-x509", ...fresh, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Our own CA");
  openssl("req", ...fresh, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=platform");
  openssl(
    ...["x509", "-req", "-in", "request.pem", "-out", "cert.pem", "-days", "2", "-extfile", "names"],
    ...["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"],
  );
  return {
    caFile: path("ca.pem"),
    key: readFileSync(path("key.pem"), "utf8"),
    cert: readFileSync(path("cert.pem"), "utf8"),
  };
}
