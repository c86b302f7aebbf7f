package io.flinkgpu.backend.cuda.device;

import io.flinkgpu.backend.BackendException;
import io.flinkgpu.backend.OpenRequest;

import jcuda.driver.JCudaDriver;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Covers: NativeLibrary.
 */
class NativeLibraryTest {

    private static final String PLANTED =
            NativeLibrary.RESOURCE.substring(NativeLibrary.RESOURCE.lastIndexOf('/') + 1);

    @Test
    void theLibraryOnTheClassPathIsTheOneThatIsExpected() throws IOException {
        try (InputStream library =
                NativeLibrary.class.getResourceAsStream(NativeLibrary.RESOURCE)) {
            byte[] bytes = library.readAllBytes();
            assertThatCode(() -> NativeLibrary.requireExpected(bytes)).doesNotThrowAnyException();
            bytes[bytes.length / 2] ^= 1;
            assertThatThrownBy(() -> NativeLibrary.requireExpected(bytes))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching(
                            "the native library of JCuda is not that of version 12\\.6\\.0:"
                                    + " sha256=[0-9a-f]{64}; leave one jcuda-natives on the class"
                                    + " path, of that version");
        }
    }

    /** Any user of a machine can put a file there. */
    @Test
    void aLibraryThatSomebodyPutIntoTheTemporaryFolderIsNotRun(@TempDir Path temporary)
            throws Exception {
        Path ran = temporary.resolve("ran");
        compilePlanted(temporary, ran);
        Path empty = Files.createDirectory(temporary.resolve("empty"));
        assertThat(said(Probe.class, temporary)).isEqualTo(said(Probe.class, empty));
        assertThat(ran).doesNotExist();
        said(JCudaAlone.class, temporary);
        assertThat(ran).exists();
    }

    @Test
    void aFileThatWasLeftHalfWrittenChangesNothing(@TempDir Path temporary) throws Exception {
        Path half = temporary.resolve("half");
        Files.createDirectory(half);
        Files.write(half.resolve(PLANTED), new byte[] {0x7f, 'E', 'L', 'F'});
        Path empty = Files.createDirectory(temporary.resolve("empty"));
        assertThat(said(Probe.class, half)).isEqualTo(said(Probe.class, empty));
        try (var left = Files.list(half)) {
            assertThat(left).containsExactly(half.resolve(PLANTED));
        }
    }

    /** A library that makes a file when it is loaded. */
    private static void compilePlanted(Path folder, Path ran) throws Exception {
        Path source = folder.resolve("planted.cpp");
        Files.writeString(
                source,
                "#include <cstdio>\n__attribute__((constructor)) static void run() {"
                        + " std::fclose(std::fopen(\""
                        + ran
                        + "\", \"w\")); }\n");
        Process compiler;
        try {
            compiler =
                    new ProcessBuilder(
                                    "g++",
                                    "-shared",
                                    "-fPIC",
                                    "-o",
                                    folder.resolve(PLANTED).toString(),
                                    source.toString())
                            .inheritIO()
                            .start();
        } catch (IOException e) {
            if (!Boolean.getBoolean("emulation.required")) {
                Assumptions.abort("no g++ on the PATH");
            }
            throw e;
        }
        assertThat(compiler.waitFor()).isZero();
        Files.delete(source);
    }

    /** What a process of its own says that has this folder for temporary files. */
    private static String said(Class<?> program, Path temporary) throws Exception {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "-Xmx256m",
                                        "-XX:TieredStopAtLevel=1",
                                        "-Djava.io.tmpdir=" + temporary,
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        program.getName()))
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return said;
    }

    /** Says what the probe finds. */
    static final class Probe {

        private Probe() {}

        public static void main(String[] args) {
            String before = System.getProperty("java.io.tmpdir");
            try {
                System.out.println(CudaProbe.probe(OpenRequest.of(1)));
            } catch (BackendException e) {
                System.out.println(e.getMessage());
            }
            if (!before.equals(System.getProperty("java.io.tmpdir"))) {
                System.out.println("java.io.tmpdir was left changed");
            }
        }
    }

    /** What would be loaded without the probe. */
    static final class JCudaAlone {

        private JCudaAlone() {}

        public static void main(String[] args) {
            JCudaDriver.setExceptionsEnabled(false);
        }
    }
}
