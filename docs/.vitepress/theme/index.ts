import { useRoute } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { nextTick, onMounted, watch } from "vue";
import "./style.css";

const CHOSEN = "language";

/** Shows one language in each group of tabs that has it. */
function show(language: string | null): void {
  for (const label of document.querySelectorAll<HTMLLabelElement>(".vp-code-group label"))
    if (label.textContent === language) label.click();
}

/** Readers choose their language once: all groups of tabs show it, on all pages. */
function remember({ target, isTrusted }: MouseEvent): void {
  if (!isTrusted || !(target instanceof HTMLLabelElement) || target.closest(".vp-code-group") === null) return;
  localStorage.setItem(CHOSEN, target.textContent);
  const { top } = target.getBoundingClientRect();
  show(target.textContent);
  // Groups above it may have become shorter or longer.
  window.scrollBy(0, target.getBoundingClientRect().top - top);
}

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute();
    const again = () => show(localStorage.getItem(CHOSEN));
    onMounted(() => {
      document.addEventListener("click", remember);
      again();
    });
    watch(
      () => route.path,
      () => void nextTick(again),
    );
  },
};
