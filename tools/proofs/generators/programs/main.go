package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func call(method, path string, body any) []byte {
	text, _ := json.Marshal(body)
	request, err := http.NewRequest(method, os.Getenv("BASE_URL")+path, bytes.NewReader(text))
	if err != nil {
		panic(err)
	}
	request.Header.Set("X-API-Key", os.Getenv("API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	return answer
}

func main() {
	sent, err := UnmarshalQueuedMessage(call("POST", "/alert/send", map[string]string{"phone": "+12025550100", "message": "from Go"}))
	if err != nil {
		panic(err)
	}
	var status MessageStatus
	for reads := 0; status != "read" && reads < 400; reads++ {
		found, err := UnmarshalMessageWithTimeline(call("GET", "/messages/"+sent.MessageID, nil))
		if err != nil {
			panic(err)
		}
		status = found.Message.Status
		time.Sleep(50 * time.Millisecond)
	}
	refused, err := UnmarshalErrorResponse(call("POST", "/alert/send", map[string]string{"phone": "+12025550101", "message": "refused"}))
	if err != nil {
		panic(err)
	}
	fmt.Println(status, refused.Error.Code)
}
