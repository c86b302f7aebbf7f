package io.flinkgpu.backend.cuda;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        assertThatThrownBy(stack::close)
                .hasMessage("c failed")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("b failed"));
        assertThat(order).hasToString("da");
    }
}
