import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { sources } from "../support/sources";

const ROOT = join(__dirname, "..", "..");
/** Where the messages come from that a user of the package sees. */
const FOLDERS = ["provider", "sdk", "cli"];
/** The reasons of checks are plain texts: they go on after the name of a property. */
const REASON = /^(?:must|cannot|needs|is required|is given|is null|is never)\b/;
/** What stands for a value in a message. */
export const GAP = "…";

/** The texts of all errors, with a gap for each value in them, sorted. One that is nothing but gaps names no error. */
export function messages(): string[] {
  const all = FOLDERS.flatMap(sources)
    .filter((file) => !/\.test\.ts$|-under-test\.ts$/.test(file))
    .flatMap((file) => messagesOf(file, readFileSync(join(ROOT, file), "utf8")));
  return [...new Set(all)].filter((text) => /[a-z]{2,} [a-z]+/i.test(text.replaceAll(GAP, ""))).sort();
}

/** The texts of the errors of a module. */
export function messagesOf(file: string, module: string): string[] {
  const source = ts.createSourceFile(file, module, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const message = messageIn(node);
    if (message !== undefined) found.push(...textsOf(message, source));
    if (file.startsWith("provider/")) found.push(...textsOfReason(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.map((text) =>
    text
      .replace(/\s+/g, " ")
      .replace(/(?:… ?){2,}/g, `${GAP} `)
      .trim(),
  );
}

/** The texts of a node that is a reason by its first words. */
function textsOfReason(node: ts.Node): string[] {
  // A part of a longer text is told with the whole.
  const isText = ts.isStringLiteralLike(node) || (ts.isTemplateExpression(node) && !ts.isBinaryExpression(node.parent));
  return isText ? textsOf(node, node.getSourceFile()).filter((text) => REASON.test(text)) : [];
}

/** The expression that an error, or a refusal, takes its text from. */
function messageIn(node: ts.Node): ts.Expression | undefined {
  if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) {
    // An ArgumentError names the argument first.
    return node.arguments?.[node.expression.getText() === "ArgumentError" ? 1 : 0];
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) return node.arguments[0];
  if (ts.isCallExpression(node) && node.expression.getText() === "wrongUsage") return node.arguments[0];
  if (ts.isShorthandPropertyAssignment(node)) return node.name.text === "reason" ? node.name : undefined;
  if (!ts.isPropertyAssignment(node)) return undefined;
  return ["reason", "refuse"].includes(node.name.getText()) ? node.initializer : undefined;
}

/** All texts that an expression may have. */
function textsOf(node: ts.Expression, source: ts.SourceFile, depth = 0): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return [node.head.text + node.templateSpans.map(({ literal }) => GAP + literal.text).join("")];
  }
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression, source, depth);
  if (ts.isConditionalExpression(node))
    return [node.whenTrue, node.whenFalse].flatMap((each) => textsOf(each, source, depth));
  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return [GAP];
    const [left, right] = [textsOf(node.left, source, depth), textsOf(node.right, source, depth)];
    return left.flatMap((one) => right.map((other) => one + other));
  }
  const name = ts.isCallExpression(node) ? node.expression : node;
  const values = depth < 3 && ts.isIdentifier(name) ? valuesOf(name.text, source) : [];
  return values.length === 0 ? [GAP] : values.flatMap((value) => textsOf(value, source, depth + 1));
}

/** The values of a constant of the module, or what a function of it returns. */
function valuesOf(name: string, source: ts.SourceFile): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer !== undefined) {
      found.push(...returnedBy(node.initializer));
    }
    if (ts.isFunctionDeclaration(node) && node.name?.text === name) found.push(...returnedBy(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What a function returns; any other value is itself. */
function returnedBy(value: ts.Expression | ts.FunctionDeclaration): ts.Expression[] {
  if (ts.isArrowFunction(value) && !ts.isBlock(value.body)) return [value.body];
  if (!ts.isArrowFunction(value) && !ts.isFunctionDeclaration(value)) return [value];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression);
    ts.forEachChild(node, visit);
  };
  visit(value);
  return found;
}
