package io.flinkgpu.backend.cuda.device;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: CloseStack.
 */
class CloseStackTest {

    @Test
    void closesAllAndKeepsEveryFailure() {
        CloseStack stack = new CloseStack();
        StringBuilder order = new StringBuilder();
        stack.push(() -> order.append("a"));
        stack.push(
                () -> {
                    throw new Exception("b failed");
                });
        stack.push(
                () -> {
                    throw new IllegalStateException("c failed");
                });
        stack.push(() -> order.append("d"));
        stack.push(
                () -> {
                    throw new OutOfMemoryError("e failed");
                });
        assertThatThrownBy(stack::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("e failed")
                .hasCauseInstanceOf(OutOfMemoryError.class)
                .satisfies(
                        e ->
                                assertThat(e.getSuppressed())
                                        .extracting(Throwable::getMessage)
                                        .containsExactly("c failed", "b failed"));
        assertThat(order).hasToString("da");
    }
}
