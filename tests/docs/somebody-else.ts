import { z } from "zod";
import { ask, deploymentOf } from "../support/ask";

const Items = z.looseObject({ resources: z.array(z.unknown()) });
const Deployment = z.looseObject({
  id: z.string(),
  name: z.string(),
  updated_at: z.string(),
  active_revision_id: z.string().nullable(),
  latest_revision_id: z.string().nullable(),
  source_config: z.looseObject({ custom_url: z.string().nullable() }),
  source_revision_config: z.looseObject({ image_uri: z.string().nullable() }),
  secrets: z.array(z.object({ name: z.string(), value: z.string() })),
});
const Revision = z.looseObject({ id: z.string(), status: z.string() });
const Template = z.looseObject({ id: z.string(), name: z.string(), image: z.string(), updated_at: z.string() });
const Provider = z.looseObject({ provider_id: z.string(), name: z.string() });

/** Somebody who works on the same platform, with the same key, and without Pulumi: the walk sees with their eyes. */
export class SomebodyElse {
  constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {}

  async deployments() {
    return z.array(Deployment).parse(Items.parse(await this.ask("GET", "/v2/deployments")).resources);
  }

  /** The only deployment. */
  async agent() {
    const [agent, ...others] = await this.deployments();
    if (agent === undefined || others.length > 0) throw new Error("there is not one deployment");
    return agent;
  }

  /** Newest first. */
  async revisions(deployment: string) {
    const list = Items.parse(await this.ask("GET", `/v2/deployments/${deployment}/revisions`));
    return z.array(Revision).parse(list.resources);
  }

  async templates() {
    const { templates } = z.looseObject({ templates: z.array(Template) }).parse(await this.ask("GET", TEMPLATES));
    return templates;
  }

  async providers() {
    return z.array(Provider).parse(await this.ask("GET", "/v2/auth/providers"));
  }

  /** Brings another image into service, and waits until it is. */
  async deploy(deployment: string, image: string): Promise<void> {
    const change = { source_revision_config: { image_uri: image } };
    const { latest_revision_id } = Deployment.parse(await this.ask("PATCH", `/v2/deployments/${deployment}`, change));
    await this.until(async () => (await this.agent()).active_revision_id === latest_revision_id);
  }

  async makeTemplate(name: string): Promise<void> {
    await this.ask("POST", TEMPLATES, { name, image: "python:3.12-slim", resources: { cpu: "500m", memory: "512Mi" } });
  }

  async deleteTemplate(name: string): Promise<void> {
    await this.ask("DELETE", `${TEMPLATES}/${name}`);
  }

  /** Gives an OAuth provider another name. */
  async rename(provider: string, name: string): Promise<void> {
    await this.ask("PATCH", `/v2/auth/providers/${provider}`, { name });
  }

  async makeProvider(id: string): Promise<void> {
    const urls = { auth_url: "https://example.com/authorize", token_url: "https://example.com/token" };
    const known = {
      provider_id: id,
      name: "GitHub",
      client_id: "desk",
      client_secret: "made-by-hand",
      uses_pkce: true,
    };
    await this.ask("POST", "/v2/auth/providers", { ...known, ...urls });
  }

  /** A deployment from an image, and waits until it serves. */
  async makeDeployment(name: string): Promise<void> {
    const secrets = { MODEL_API_KEY: "made-by-hand" };
    await this.ask("POST", "/v2/deployments", deploymentOf(name, "registry.example.com/desk:1.0.0", secrets));
    await this.until(async () => (await this.agent()).active_revision_id !== null);
  }

  /** An agent answers at this address. */
  async asksOk(agent: string | null): Promise<void> {
    const { status } = await fetch(`${agent ?? ""}/ok`, { headers: { "x-api-key": this.apiKey } });
    if (status !== 200) throw new Error(`${agent ?? "no address"} answered ${status}`);
  }

  private async until(isSo: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (!(await isSo())) {
      if (Date.now() > deadline) throw new Error("the platform did not get there within a minute");
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  private ask(method: string, path: string, body?: object): Promise<unknown> {
    return ask({ url: this.url, apiKey: this.apiKey }, method, path, body);
  }
}

const TEMPLATES = "/v2/sandboxes/templates";
