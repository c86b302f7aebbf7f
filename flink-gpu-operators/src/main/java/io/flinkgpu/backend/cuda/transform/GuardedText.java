package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.program.Operand;
import io.flinkgpu.program.TextPart;
import io.flinkgpu.program.TextPart.Change;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of an output text as the kernel knows it: one text where the guard is true, another where it
 * is false. Of the two sides of a condition the kernel writes a piece of each at a time.
 *
 * @param guard register of a condition, which is false where it is null; or -1: always true
 * @param text what is written where the guard is true; null: nothing
 * @param other what is written elsewhere; null: nothing
 */
record GuardedText(int guard, Operand text, Operand other, Change change, int what, int with) {

    /** The pieces of an output: neighbours under one guard are paired. */
    static List<GuardedText> of(List<TextPart> parts) {
        List<GuardedText> result = new ArrayList<>();
        int from = 0;
        while (from < parts.size()) {
            int to = from + 1;
            while (to < parts.size() && isPlain(parts.get(from), parts.get(to))) {
                to++;
            }
            pair(parts.subList(from, to), result);
            from = to;
        }
        return result;
    }

    private static boolean isPlain(TextPart first, TextPart next) {
        return first.guard() >= 0
                && first.guard() == next.guard()
                && first.change() == Change.NONE
                && next.change() == Change.NONE;
    }

    /** Parts of one guard: those of either side keep their order, which of both is first does not matter. */
    private static void pair(List<TextPart> parts, List<GuardedText> result) {
        List<TextPart> texts = parts.stream().filter(GuardedText::isFirst).toList();
        List<TextPart> others = parts.stream().filter(part -> !isFirst(part)).toList();
        for (int i = 0; i < Math.max(texts.size(), others.size()); i++) {
            TextPart text = i < texts.size() ? texts.get(i) : null;
            TextPart other = i < others.size() ? others.get(i) : null;
            TextPart any = text == null ? other : text;
            result.add(
                    new GuardedText(
                            any.guard(),
                            text == null ? null : text.text(),
                            other == null ? null : other.text(),
                            any.change(),
                            any.what(),
                            any.with()));
        }
    }

    private static boolean isFirst(TextPart part) {
        return part.guard() < 0 || part.whenTrue();
    }
}
