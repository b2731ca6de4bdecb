import { ceilings } from "./ceilings";
import { encryptedUrls } from "./encrypted-urls";
import { pinnedImages } from "./pinned-images";
import { pkce } from "./pkce";
import type { Rule } from "./props";
import { proxyHosts } from "./proxy-hosts";

export const rules: readonly Rule[] = [encryptedUrls, pkce, proxyHosts, ...ceilings, ...pinnedImages];
