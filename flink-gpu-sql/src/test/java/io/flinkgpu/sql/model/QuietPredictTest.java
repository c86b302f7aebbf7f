package io.flinkgpu.sql.model;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.FatalDeviceException;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.JoinedRowData;

import org.junit.jupiter.api.Test;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A row without an answer comes back, and whoever reads it gets the reason, as Flink has to see it.
 *
 * <p>Covers: QuietPredict, MissingAnswer.
 */
class QuietPredictTest {

    private final CompletableFuture<Integer> asked = new CompletableFuture<>();
    private final Model model = new Model();

    @Test
    void anAnswerIsTheRow() {
        CompletableFuture<Collection<RowData>> rows = ask();
        assertThat(rows).isNotDone();
        asked.complete(7);
        assertThat(rows).isCompletedWithValue(List.of(GenericRowData.of(7)));
    }

    @Test
    void aMissingAnswerIsAnExceptionThatShowsNothingOfTheRow() {
        BackendException broken = new BackendException("broken");
        RowData row = failed(broken);
        assertThatThrownBy(() -> row.getInt(1))
                .isInstanceOf(UnansweredException.class)
                .hasMessageEndingWith("did not leave: broken")
                .hasCause(broken);
        assertThatThrownBy(row::getArity).isInstanceOf(UnansweredException.class);
    }

    @Test
    void aRequestThatCannotBeMadeIsAMissingAnswer() {
        model.refused = new IllegalStateException("refused");
        CompletableFuture<Collection<RowData>> rows = ask();
        assertThatThrownBy(() -> joined(rows).getInt(1))
                .isInstanceOf(UnansweredException.class)
                .hasCause(model.refused);
    }

    @Test
    void aLostDeviceEndsTheProcess() {
        FatalDeviceException lost = new FatalDeviceException("the context is lost");
        assertThatThrownBy(() -> failed(lost).getInt(1))
                .isInstanceOf(InternalError.class)
                .hasMessage("the context is lost")
                .hasCause(lost);
    }

    @Test
    void anErrorIsThrownAsItIs() {
        OutOfMemoryError none = new OutOfMemoryError("none left");
        assertThatThrownBy(() -> failed(none).getInt(1)).isSameAs(none);
    }

    private CompletableFuture<Collection<RowData>> ask() {
        CompletableFuture<Collection<RowData>> rows = new CompletableFuture<>();
        model.eval(rows, "secret");
        return rows;
    }

    private RowData failed(Throwable failure) {
        CompletableFuture<Collection<RowData>> rows = ask();
        asked.completeExceptionally(failure);
        return joined(rows);
    }

    /** As Flink passes it on. */
    private static RowData joined(CompletableFuture<Collection<RowData>> rows) {
        assertThat(rows).isCompleted();
        return new JoinedRowData(GenericRowData.of("secret"), rows.join().iterator().next());
    }

    /** Answers, as models do, by a stage behind the batch's. */
    private final class Model extends QuietPredict {

        private static final long serialVersionUID = 1L;

        private transient RuntimeException refused;

        @Override
        public CompletableFuture<Collection<RowData>> asyncPredict(RowData input) {
            if (refused != null) {
                throw refused;
            }
            return asked.thenApply(answer -> List.of(GenericRowData.of(answer)));
        }
    }
}
